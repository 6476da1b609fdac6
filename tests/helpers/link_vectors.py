"""The vectors of the protocol."""

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).parent.parent / "city_unit" / "vectors" / "link.toml"
VECTORS = tomllib.loads(FILE.read_text("utf-8"))
