"""The report of studies: a page with figures and tables, from their records alone."""

from mineproof.lab.report.write import write_report

__all__ = ["write_report"]
