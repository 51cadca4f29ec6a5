"""soulmem: the memory of a character, in one file."""

from soulmem._version import __version__

__all__ = ["__version__"]
