"""How Sphinx builds the site: `make docs`."""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from types import GenericAlias
from typing import Any

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

import mineproof

project = "mineproof"
author = "the mineproof authors"
copyright = "2026, the mineproof authors"  # noqa: A001
version = release = mineproof.__version__

extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_click"]
exclude_patterns = ["images", "long_chains"]

html_theme = "furo"
html_title = "mineproof"
html_favicon = "../src/mineproof/web/page/icon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False

myst_heading_anchors = 4
# The site shows the outputs in the notebooks; a test executes them and compares.
nb_execution_mode = "off"

default_role = "py:obj"
python_use_unqualified_type_names = True
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

nitpicky = True
nitpick_ignore_regex = [
    ("py:obj", "(?s:.*)"),  # a word in backquotes is a link only if it names something
    ("py:(class|exc)", r"(?!mineproof\.).*"),  # no network: other libraries have no links
    ("py:class", r"mineproof\._core\..*|mineproof\.position\.drawn\.Drawn|.*\.T"),
]

DOCS = Path(__file__).parent

PAGES = {
    "../README.md": "index.md",
    "../CHANGELOG.md": "changes.md",
    "../CONTRIBUTING.md": "contributing.md",
}
"""Files outside this folder that the site has as pages."""

API = [
    module
    for page in sorted(DOCS.glob("api/*.md"))
    for module in re.findall(r"automodule:: (\S+)", page.read_text("utf-8"))
]
"""The modules that have a section in the reference."""


def _home(name: str, value: object) -> str:
    """Return the one of the modules exporting a name that documents it."""
    exporting = [
        module
        for module in API
        if name in getattr(import_module(module), "__all__", ())
        and getattr(import_module(module), name) is value
    ]
    defined_in = getattr(value, "__module__", None) or ""
    around = [module for module in exporting if defined_in.startswith(module)]
    return min(around or exporting, key=len)


def _skip(
    app: Sphinx, what: str, name: str, value: Any, _skip: bool, _options: object
) -> bool | None:
    """Document each public name once, also if it is a constant or an alias."""
    module = app.env.current_document.autodoc_module
    if what != "module" or name not in getattr(import_module(module), "__all__", ()):
        return None
    if isinstance(value, GenericAlias):
        return True  # numpydoc cannot document it; its page does
    return inspect.ismodule(value) or _home(name, value) != module


def _find_comments(_app: Sphinx) -> None:
    """Give constants and aliases the string below their definition, in whichever module it is."""
    packages = {name: import_module(name) for name in API}
    sources = {
        name: module
        for name, module in list(sys.modules.items())
        if name.startswith("mineproof.") and (module.__file__ or "").endswith(".py")
    }
    for name, package in packages.items():
        found = ModuleAnalyzer.for_module(name)
        found.analyze()
        for source, module in sources.items():
            for (scope, word), lines in ModuleAnalyzer.for_module(source).find_attr_docs().items():
                exported = not scope and word in getattr(package, "__all__", ())
                if exported and getattr(package, word) is getattr(module, word):
                    found.attr_docs.setdefault(("", word), lines)


def _flatten(
    _app: Sphinx, what: str, _name: str, _value: object, _options: object, lines: list[str]
) -> None:
    """Keep the sections of a module's docstring out of the contents of the page."""
    if what == "module" and "--------" in lines:
        below = lines.index("--------")
        lines[below - 1 : below + 1] = [f".. rubric:: {lines[below - 1]}", ""]


def _drop_links(_app: Sphinx, page: str, source: list[str]) -> None:
    """Show links to what is only in the repository as plain text."""
    folder = (DOCS / page).parent

    def shown(link: re.Match[str]) -> str:
        text, target = link.groups()
        if target in PAGES:
            return f"[{text}]({PAGES[target]})"
        outside = target.startswith("../") and not (folder / target).resolve().is_relative_to(DOCS)
        return text if outside or (folder / target).is_dir() else link[0]

    source[0] = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)#:]+)\)", shown, source[0])


def setup(app: Sphinx) -> None:
    """Connect the hooks."""
    app.connect("source-read", _drop_links)
    app.connect("autodoc-process-docstring", _flatten)
    app.connect("builder-inited", _find_comments)
    app.connect("autodoc-skip-member", _skip)
