"""One report for all tests of a process: building it takes longer than looking at it."""

from __future__ import annotations

import pytest
from report_studies import STUDIES

from mineproof.lab.archive import Archive
from mineproof.lab.report import write_report
from mineproof.lab.run import run


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """Return records with their report. Tests may write it again, and must not change it."""
    archive = run(STUDIES, tmp_path_factory.mktemp("report") / "out")
    write_report(archive, STUDIES)
    return archive
