# Everything runs in .venv, which the first target that needs it makes. `make help` lists the targets.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready
PLAYABLE := .venv/.playable
# --no-compile: what is imported gets compiled then, the rest never.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
SOURCES := pyproject.toml hatch_build.py scripts/gen_python.py $(shell find proto -name '*.proto')
JOBS ?= auto

.DEFAULT_GOAL := help
.PHONY: help cup test test-fast test-slow check lint types format proto bench clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# What playing needs, and nothing of the tests: a first cup should not wait for linters.
$(PLAYABLE): $(SOURCES)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Croupier needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable '.[arena]'
	@touch $@

$(STAMP): $(PLAYABLE) $(SOURCES)
	$(INSTALL) --editable '.[dev]'
	@touch $@

cup: $(PLAYABLE) ## Play the example cup between real processes, to its Elo table
	$(BIN)/croupier cup run examples/first-cup.toml --folder cups/first-cup-$$(date +%Y%m%d-%H%M%S)

test: $(STAMP) check ## All tests but the slow ones, and every check
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow"

test-fast: $(STAMP) ## Tests without toolchains, kills and long simulations (under 5 minutes)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow and not packaging and not kills"

test-slow: $(STAMP) ## What takes longer: run it before an issue that names it is called resolved
	$(BIN)/python -m pytest -m slow --timeout 3600

check: lint types ## Every static check

lint: $(STAMP) ## ruff, buf, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code
	$(BIN)/lint-imports

types: $(STAMP) ## mypy --strict and pyright
	$(BIN)/mypy
	$(BIN)/pyright

format: $(STAMP) ## Format all code
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/buf format --write

proto: $(STAMP) ## Generate the Python wire types anew, after a change below proto/
	$(BIN)/python scripts/gen_python.py

bench: $(STAMP) ## Ratios against bare gRPC, measured side by side
	$(BIN)/python bench/referee.py

clean: ## Remove the environment, generated code and played cups
	rm -rf .venv cups dist clients/python/croupier/v1 clients/python/croupier/control
