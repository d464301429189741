# `make demo` and `make test` need Python 3.11 or newer and make; each sets up all that it uses.
# The tests also need Node.js 20 or newer, for GitHub's own parser and expression evaluator.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# CI logs that follow a build line by line.
export PYTHONUNBUFFERED := 1

.DEFAULT_GOAL := help
.PHONY: help setup lint quick test demo golden benchmark clean

help:  ## what there is to make
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev,peers]'
	touch $@

tests/peers/node_modules/ready: tests/peers/package.json tests/peers/package-lock.json
	npm ci --prefix tests/peers --silent --no-audit --no-fund
	touch $@

setup: $(VENV)/ready  ## a virtual environment with everything in it

lint: $(VENV)/ready  ## style, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

quick: $(VENV)/ready tests/peers/node_modules/ready  ## the tests that take seconds
	$(BIN)/pytest -m 'not slow'

test: lint tests/peers/node_modules/ready  ## set up, lint, and every test
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

demo: $(VENV)/ready  ## render the shipped matrix, check it, and run one of its jobs on this machine
	$(BIN)/nightgrid render
	$(BIN)/nightgrid check
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/nightgrid try demo-tiny-target

golden: $(VENV)/ready  ## take over a meant change of the output into the golden folders
	for matrix in tests/golden/*/matrix.yaml; do $(BIN)/nightgrid render --quiet --matrix $$matrix || exit 1; done

benchmark: $(VENV)/ready  ## time and memory of whole processes, beside other generators (installs them into .benchmarks/)
	$(BIN)/python -m benchmarks --markdown .benchmarks/last.md

clean:  ## remove what was set up
	rm -rf $(VENV) tests/peers/node_modules
