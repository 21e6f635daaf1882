"""The report as a reader sees it: in a real browser, on a desk and on a phone, by day and night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from browser import browser, opened
from playwright.sync_api import Browser
from report_studies import STUDIES

from mineproof.lab.report import write_report
from mineproof.lab.run import run

DESK, PHONE, SMALL = 1280, 390, 320

CONTRASTS = """() => {
  const numbers = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const part = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = numbers(getComputedStyle(element).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const words = '.page p, li, th, td, small, a, figcaption, dt, dd, summary, h1, h2, h3, h4,' +
    'code, caption, abbr, figure div text';
  return [...document.querySelectorAll(words)]
    .filter(element => element.textContent.trim() && element.getClientRects().length)
    .map(element => {
      const style = getComputedStyle(element);
      const ink = light(numbers(element.tagName === 'text' ? style.fill : style.color));
      const paper = light(behind(element));
      const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      return [ratio, element.tagName + ': ' + element.textContent.trim().slice(0, 40)];
    });
}"""

WORDS_OF_FIGURES = """() => [...document.querySelectorAll('figure div svg')]
  .filter(svg => svg.getClientRects().length)
  .map(svg => {
    const box = rect => [rect.left, rect.top, rect.right, rect.bottom];
    const words = [...svg.querySelectorAll('text')].filter(text => text.textContent.trim());
    const boxes = words.map(text => [text.textContent, ...box(text.getBoundingClientRect())]);
    return [box(svg.getBoundingClientRect()), boxes];
  })"""


COVERED_NAMES = """() => [...document.querySelectorAll('.grid tbody tr:not(.group) th')]
  .filter(name => {
    name.closest('.scroll').scrollLeft = 60;
    name.scrollIntoView({behavior: 'instant', block: 'center'});
    const box = name.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !name.contains(top);
  })
  .map(name => name.textContent)"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(run(STUDIES, tmp_path_factory.mktemp("report") / "out"), STUDIES)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESK, PHONE])
def test_it_opens_from_disk_alone_and_can_be_read(
    chromium: Browser, report: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    requests: list[str] = []
    complaints: list[str] = []
    with opened(
        chromium, report, width=width, scheme=scheme, requests=requests, complaints=complaints
    ) as page:
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        contrasts = page.evaluate(CONTRASTS)
        assert len(contrasts) > 300
        assert not [words for ratio, words in contrasts if ratio < 4.5]
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red = int(paper.removeprefix("rgb(").partition(",")[0])
        assert (red < 128) == (scheme == "dark")
    assert [url for url in requests if not url.startswith("data:")] == [report.as_uri()]
    assert complaints == []


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_no_words_of_a_figure_overlap_or_are_cut(
    chromium: Browser, report: Path, width: int
) -> None:
    with opened(chromium, report, width=width) as page:
        figures = page.evaluate(WORDS_OF_FIGURES)
    assert len(figures) == sum(len(study.charts) for study in STUDIES)
    for (left, top, right, bottom), words in figures:
        assert len(words) > 5
        for word, x, y, end, foot in words:
            inside = left - 1 <= x <= end <= right + 1 and top - 1 <= y <= foot <= bottom + 1
            assert inside, f"{word} is cut"
        for number, (one, x, y, end, foot) in enumerate(words):
            for other, its_x, its_y, its_end, its_foot in words[number + 1 :]:
                across = min(end, its_end) - max(x, its_x)
                down = min(foot, its_foot) - max(y, its_y)
                # Boxes of words are higher than the words.
                assert across < 1 or down < 5, f"{one} lies over {other}"


def test_a_phone_shows_narrow_figures_and_scrolls_wide_tables(
    chromium: Browser, report: Path
) -> None:
    with opened(chromium, report, width=SMALL) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL
        assert page.locator("figure .narrow svg").first.is_visible()
        assert not page.locator("figure .wide svg").first.is_visible()
        widths = page.evaluate(
            "[...document.querySelectorAll('.scroll')].map(b => [b.scrollWidth, b.clientWidth])"
        )
        assert any(inner > outer for inner, outer in widths)
        assert page.evaluate(COVERED_NAMES) == []
    with opened(chromium, report, width=DESK) as page:
        assert page.locator("figure .wide svg").first.is_visible()
        assert not page.locator("figure .narrow svg").first.is_visible()
