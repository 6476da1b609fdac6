"""Puts something called pip into the environment."""

from writing import install

install("pip", {"pip/__init__.py": "import pip.part\n", "pip/part.py": "IS_WHOLE = True\n"})
