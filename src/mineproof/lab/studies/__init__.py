"""The built-in studies, one question per file, and those of other packages.

Examples
--------
>>> from mineproof.lab import studies
>>> studies.get("density").charts[0].x
'density'
"""

from mineproof.lab.studies.registry import get, names

__all__ = ["get", "names"]
