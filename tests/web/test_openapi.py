"""Schemathesis asks what the description of the API allows, and some that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from web_server import serving

from mineproof.web import Settings
from mineproof.web.app import make_app

schema = schemathesis.openapi.from_dict(make_app(Settings(workers=1)).openapi())


@pytest.fixture(scope="module")
def small_server() -> Iterator[str]:
    """A server with small limits, so that nothing takes long."""
    limits = Settings(
        workers=2, most_cells=2_000, agent_seconds=5, analysis_seconds=5, job_seconds=5
    )
    with serving(limits) as address:
        yield address


FEW = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=8)


@schema.parametrize()
@settings(FEW, derandomize=True)
def test_no_request_breaks_the_server(case: Any, small_server: str) -> None:
    check(case, small_server)


@pytest.mark.long
@schema.parametrize()
@settings(FEW, max_examples=300)
def test_no_request_of_many_breaks_the_server(case: Any, small_server: str) -> None:
    check(case, small_server)


def check(case: Any, small_server: str) -> None:
    answer = case.call(base_url=small_server, timeout=30)
    case.validate_response(answer, checks=[not_a_server_error])
    if answer.status_code >= 400:
        assert list(answer.json()) == ["detail"]


def test_the_description_names_every_operation() -> None:
    paths = schema.raw_schema["paths"]
    operations = {f"{method.upper()} {path}" for path in paths for method in paths[path]}
    assert {
        "POST /api/games",
        "GET /api/games/{game}",
        "POST /api/games/{game}/act",
        "POST /api/games/{game}/undo",
        "POST /api/games/{game}/step",
        "POST /api/analyse",
        "POST /api/review",
        "GET /api/agents",
        "POST /api/jobs",
        "DELETE /api/jobs/{job}",
        "GET /api/reports",
    } <= operations
