# Every target sets itself up in .venv from nothing but python3, a C++ compiler and make.
PYTHON ?= python3
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
NATIVE := $(shell find native -name '*.cpp' -o -name '*.hpp')
SOURCES := src tests examples benchmarks
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: study test verify check bench core sanitized format clean

study: .venv/built
	$(BIN)/mineproof study --quick --out studies/quick

test: .venv/built sanitized
	$(BIN)/python -m pytest -n $(JOBS) -m "not long"

verify: .venv/built core sanitized
	$(BIN)/python -m pytest -n $(JOBS) --hypothesis-profile=full

check: .venv/built
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)

bench: .venv/bench
	$(BIN)/python -m benchmarks

format: .venv/built
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/clang-format -i $(NATIVE)

# The C++ library and its tests, without Python: optimised, and under the sanitizers.
core: .venv/tools
	cmake -S . -B build/core -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
	cmake --build build/core
	ctest --test-dir build/core --output-on-failure -j $(JOBS)

sanitized: .venv/tools
	cmake -S . -B build/sanitized -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DMINEPROOF_SANITIZE=address,undefined >/dev/null
	cmake --build build/sanitized
	ctest --test-dir build/sanitized --output-on-failure -j $(JOBS)

.venv/tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --upgrade pip
	$(PIP) install cmake ninja $$($(BIN)/python -c 'import tomllib; \
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
