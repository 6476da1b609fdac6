import numpy as np
from numpy.typing import ArrayLike

def solve_toeplitz(c_or_cr: ArrayLike, b: ArrayLike) -> np.ndarray: ...
