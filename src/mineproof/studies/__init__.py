"""The built-in studies, one question a file, and others by name.

Examples
--------
>>> from mineproof import studies
>>> studies.get("density").charts[0].x
'density'
"""

from mineproof.studies.registry import get, names

__all__ = ["get", "names"]
