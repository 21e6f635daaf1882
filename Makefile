# Every target sets itself up in .venv from nothing but python3, a C++ compiler and make.
PYTHON ?= python3
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
NATIVE := $(shell find native -name '*.cpp' -o -name '*.hpp')
SOURCES := src tests examples benchmarks docs
# One process more than cores: some tests wait for a browser, a disk or a clock.
PYTEST := $(BIN)/python -m pytest -n $$(($(JOBS) + 1)) --dist worksteal
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export PATH := $(CURDIR)/$(BIN):$(PATH)
# If this is set, every process compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE
# Make targets at the same time if they do not depend on each other.
MAKEFLAGS += --jobs=$(JOBS)

.PHONY: study play test verify check bench docs core sanitized threads format clean

study: .venv/built
	$(BIN)/mineproof study --quick --out studies/quick

play: .venv/built
	$(BIN)/mineproof play

test: .venv/built sanitized
	$(PYTEST) -m "not long"

verify: .venv/built core sanitized threads
	$(PYTEST) --hypothesis-profile=full

check: .venv/built
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)

bench: .venv/bench
	$(BIN)/python -m benchmarks

docs: .venv/built
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs build/docs
	@echo The site is in build/docs/index.html.

format: .venv/built
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/clang-format -i $(NATIVE)

# The C++ library and its tests, without Python: optimised, under the sanitizers for memory and
# undefined behaviour, and the test of threads under the sanitizer for data races.
core: NATIVE_OPTIONS = -DCMAKE_BUILD_TYPE=Release
sanitized: NATIVE_OPTIONS = -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMINEPROOF_SANITIZE=address,undefined
threads: NATIVE_OPTIONS = -DCMAKE_BUILD_TYPE=RelWithDebInfo -DMINEPROOF_SANITIZE=thread

core sanitized threads: .venv/tools
	cmake -S . -B build/$@ -G Ninja $(NATIVE_OPTIONS) >/dev/null
	cmake --build build/$@
	ctest --test-dir build/$@ --output-on-failure -j $(JOBS)

.venv/tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --upgrade pip cmake ninja $$($(BIN)/python -c 'import tomllib; \
		print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')
	touch $@

.venv/built: .venv/tools CMakeLists.txt $(NATIVE)
	$(PIP) install --no-build-isolation --editable '.[dev]'
	touch $@

.venv/bench: .venv/built
	$(PIP) install --no-build-isolation --editable '.[bench]'
	touch $@

clean:
	rm -rf .venv build dist src/mineproof/_core.pyi
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +
