"""The report as a reader sees it: in a real browser, on a desk and on a phone, by day and night."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from browser import barriers, opened
from playwright.sync_api import Browser, Locator, Page, expect
from report_studies import STUDIES

from mineproof.lab.archive import Archive

DESK, PHONE, SMALL = 1280, 390, 320

WORDS_OF_FIGURES = """() => [...document.querySelectorAll('.vega svg')]
  .filter(svg => svg.getClientRects().length)
  .map(svg => {
    const box = rect => [rect.left, rect.top, rect.right, rect.bottom];
    const words = [...svg.querySelectorAll('text')].filter(
      text => text.textContent.trim() && getComputedStyle(text).opacity !== '0');
    const boxes = words.map(text => [text.textContent, ...box(text.getBoundingClientRect())]);
    return [box(svg.getBoundingClientRect()), boxes];
  })"""


@pytest.fixture
def report(reported: Archive) -> Path:
    return reported.path / "index.html"


def unfold(page: Page) -> None:
    """Open all that is folded, and wait until every figure is drawn."""
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for figure in page.locator("figure.figure").all():
        drawn(figure)


def drawn(figure: Locator) -> Locator:
    """Wait until a figure is interactive: a figure is drawn once more if it does not fit."""
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-picked", "")
    expect(figure.locator(".vega svg")).to_be_visible()
    return figure


def faint(figure: Locator) -> Locator:
    """The markers of series that are not highlighted."""
    return figure.locator('.vega .mark-symbol path[opacity="0.12"]')


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (DESK, "light"),
        (PHONE, "dark"),
        pytest.param(DESK, "dark", marks=pytest.mark.long),
        pytest.param(PHONE, "light", marks=pytest.mark.long),
    ],
)
def test_it_opens_from_disk_alone_without_barriers(
    browser: Browser, report: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    requests: list[str] = []
    complaints: list[str] = []
    with opened(
        browser, report, width=width, scheme=scheme, requests=requests, complaints=complaints
    ) as page:
        unfold(page)
        page.wait_for_function(f"document.documentElement.scrollWidth <= {width}")
        assert barriers(page) == []
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red = int(paper.removeprefix("rgb(").partition(",")[0])
        assert (red < 128) == (scheme == "dark")
    assert [url for url in requests if not url.startswith("data:")] == [report.as_uri()]
    assert complaints == []


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_no_words_of_a_figure_overlap_or_are_cut(
    browser: Browser, report: Path, width: int
) -> None:
    with opened(browser, report, width=width) as page:
        unfold(page)
        figures = page.evaluate(WORDS_OF_FIGURES)
    assert len(figures) == sum(len(study.charts) for study in STUDIES)
    for (left, top, right, bottom), words in figures:
        assert len(words) > 5
        for word, x, y, end, foot in words:
            inside = left - 2 <= x <= end <= right + 2 and top - 1 <= y <= foot <= bottom + 1
            assert inside, f"{word} is cut"
        for number, (one, x, y, end, foot) in enumerate(words):
            for other, its_x, its_y, its_end, its_foot in words[number + 1 :]:
                across = min(end, its_end) - max(x, its_x)
                down = min(foot, its_foot) - max(y, its_y)
                # Boxes of words are higher than the words.
                assert across < 1 or down < 5, f"{one} lies over {other}"


def test_figures_fill_a_desk_and_fit_a_phone(browser: Browser, report: Path) -> None:
    with opened(browser, report, width=DESK) as page:
        drawn(page.locator("[data-figure=curves-score]"))
        page.wait_for_function(
            """() => {
              const figure = document.querySelector("[data-figure=curves-score]");
              const room = figure.clientWidth;
              const width = figure.querySelector(".vega svg").clientWidth;
              return room - 24 <= width && width <= room;
            }"""
        )
        page.set_viewport_size({"width": SMALL, "height": 900})
        page.wait_for_function(
            "document.querySelector('[data-figure=curves-score] .vega svg').clientWidth <= 300"
        )
        page.wait_for_function(f"document.documentElement.scrollWidth <= {SMALL}")


def test_values_are_shown_under_the_pointer(browser: Browser, report: Path) -> None:
    with opened(browser, report) as page:
        figure = drawn(page.locator("[data-figure=curves-score]"))
        figure.locator(".vega .mark-symbol path").last.hover(force=True)
        tooltip = page.locator("#vg-tooltip-element")
        expect(tooltip).to_contain_text("density")
        expect(tooltip).to_contain_text(" to ")
        expect(tooltip).to_contain_text("games")


def test_the_legend_highlights_a_series_with_pointer_and_keys(
    browser: Browser, report: Path
) -> None:
    with opened(browser, report) as page:
        figure = drawn(page.locator("[data-figure=curves-score]"))
        expect(faint(figure)).to_have_count(0)
        button = figure.get_by_role("button", name="basic")
        button.hover()
        expect(figure).to_have_attribute("data-picked", "basic")
        page.mouse.move(0, 0)
        expect(figure).to_have_attribute("data-picked", "")
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(faint(figure)).not_to_have_count(0)
        expect(figure.locator('.vega .mark-symbol path[opacity="1"]')).not_to_have_count(0)
        page.keyboard.press("Space")
        expect(button).to_have_attribute("aria-pressed", "false")
        expect(figure).to_have_attribute("data-picked", "")
        expect(faint(figure)).to_have_count(0)


def test_a_switch_shows_the_table(browser: Browser, report: Path) -> None:
    with opened(browser, report) as page:
        figure = drawn(page.locator("[data-figure=curves-score]"))
        switch = figure.get_by_role("button", name="Table")
        switch.focus()
        page.keyboard.press("Enter")
        expect(switch).to_have_attribute("aria-pressed", "true")
        expect(figure.locator("table")).to_be_visible()
        expect(figure.locator(".canvas")).to_be_hidden()
        expect(figure.locator("table")).to_contain_text("92")  # published
        switch.click()
        expect(figure.locator("table")).to_be_hidden()
        expect(figure.locator(".vega svg")).to_be_visible()


def test_details_are_folded_and_unfold_with_keys(browser: Browser, report: Path) -> None:
    with opened(browser, report) as page:
        answer = page.get_by_text("No more is known.")
        expect(answer).to_be_hidden()
        page.locator("summary", has_text="More answers").first.focus()
        page.keyboard.press("Enter")
        expect(answer).to_be_visible()
        folded = page.locator("[data-figure=curves-gain]")
        expect(folded).to_be_hidden()
        page.goto(f"{report.as_uri()}#chart_curves-gain")
        expect(folded).to_be_visible()
        page.keyboard.press("Tab")
        page.wait_for_function("document.activeElement !== document.body")


def test_a_page_without_scripts_and_on_paper_has_figures_and_numbers(
    browser: Browser, report: Path
) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(report.as_uri())
        figure = page.locator("[data-figure=curves-score]")
        expect(figure.locator(".canvas > svg")).to_be_visible()
        expect(figure.locator("table")).to_be_visible()
        page.emulate_media(media="print", color_scheme="dark")
        expect(figure.locator(".canvas > svg")).to_be_visible()
        expect(page.locator("nav")).to_be_hidden()
    finally:
        context.close()
