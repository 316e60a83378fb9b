"""A module."""
__version__ = "0.1"
