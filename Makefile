# All set-up happens here: `make run` and `make test` need only Python, make and the package registry.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
RUNS := $(VENV)/runs
BENCH := $(VENV)/bench

# Many tests wait for processes and servers that they start: one more worker than cores keeps these busy.
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))

.PHONY: run test cover check browser pictures fuzz faults hostile soak test-local bench docs lock sbom clean

## run: set up, then the pages in your browser, over an example conversation; Ctrl-C ends it
EXAMPLE ?= $(VENV)/example.db
PORT ?= 8787
run: $(RUNS)
	@exec $(BIN)/onrecord serve --open --example --db $(EXAMPLE) --port $(PORT)

## test: set up, then every check and every test
test: check browser
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

## cover: every test, and which lines they reach; half as slow again
cover: $(READY) browser
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --cov --cov-report=term:skip-covered

## check: lint, types, layers
check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

## browser: Chromium, for the tests of the pages; nothing is done where there is one
browser:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	  command -v $$name >/dev/null && exit 0; \
	done; \
	root=; [ "$$(id -u)" = 0 ] || root='sudo -n'; \
	echo 'The tests of the pages need Chromium: installing it.'; \
	if command -v apt-get >/dev/null; then \
	  $$root apt-get -qq update && \
	  DEBIAN_FRONTEND=noninteractive $$root apt-get -qq install -y --no-install-recommends chromium fonts-dejavu-core && \
	  command -v chromium >/dev/null && exit 0; \
	fi; \
	echo 'Chromium could not be installed. Install chromium or google-chrome yourself, put it on the PATH, then go on.' >&2; \
	exit 1

## fuzz: all tests once more with other random examples; ordinary runs repeat theirs, so that a red one means the change
fuzz: $(READY) browser
	ONRECORD_FUZZ=1 $(BIN)/pytest -n auto

## faults: the long fault tests (at least 500 kills)
faults: $(READY)
	ONRECORD_KILLS=500 $(BIN)/pytest tests/faults -n auto

## hostile: an hour of generated hostility: texts, requests, tools, files, kills; a fault is told with what repeats it
SEED ?= $(shell date +%s)
MINUTES ?= 60
hostile: $(READY)
	$(BIN)/python -m tests.hostile --seed $(SEED) --minutes $(MINUTES)

## soak: ten thousand turns in one session under each profile
soak: $(READY)
	$(BIN)/python -m benchmarks soak

## test-local: a small language model, for real, over thirty conversations of a folder; the texts are in a report
DATA ?= data/summaries
REPORT ?= $(VENV)/local-model.md
test-local: $(READY)
	$(BIN)/python -m benchmarks models --data $(DATA) --report $(REPORT) \
	  --model local/$$($(BIN)/python -c 'from tests.small_model import small_model; print(small_model())')
	@echo "Texts and verdicts: $(REPORT)"

## bench: install the peers beside us, then measure all of them in one run
bench: $(BENCH)/ready
	$(BENCH)/bin/python -m benchmarks latency --runs 1000

## docs: write docs/reference.md and docs/openapi.json from the code
docs: $(READY)
	$(BIN)/python docs/generate.py

## lock: requirements.lock anew: every package of a service, of one version each, with the hashes of its files
EXTRAS := server postgres models mcp
lock: $(READY)
	echo 'onrecord-encoder @ file://$(CURDIR)/encoder' > $(VENV)/ours.txt
	$(BIN)/uv pip compile --quiet --override $(VENV)/ours.txt --upgrade --universal --python-version 3.11 \
	  --generate-hashes --no-header --no-annotate \
	  $(addprefix --extra ,$(EXTRAS)) --no-emit-package onrecord --no-emit-package onrecord-encoder \
	  --output-file requirements.lock pyproject.toml

## sbom: a bill of materials of what requirements.lock names, as CycloneDX, in dist/sbom.json
sbom: $(READY)
	mkdir -p dist
	$(BIN)/uv tool run --quiet --from cyclonedx-bom cyclonedx-py requirements requirements.lock --output-file dist/sbom.json

## pictures: the pages over the example, as PNG files; the README's among them
pictures: $(READY) browser
	ONRECORD_SCREENSHOTS=$(VENV)/pictures $(BIN)/pytest tests/acceptance/test_page_pictures.py
	mkdir -p docs/images && cp $(VENV)/pictures/context.png $(VENV)/pictures/conversation.png docs/images/

## clean: remove everything that was made
clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage .coverage.* .hypothesis dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip --quiet install uv

$(READY): $(BIN)/uv pyproject.toml encoder/pyproject.toml
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable ./encoder --editable '.[test]'
	touch $@ $(RUNS)

# What running needs alone.
$(RUNS): $(BIN)/uv pyproject.toml encoder/pyproject.toml
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable ./encoder --editable '.[server]'
	touch $@

# The peers bring a hundred packages, so they get an environment of their own.
$(BENCH)/ready: $(READY) requirements-peers.txt
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(BENCH)
	$(BIN)/uv pip install --quiet --python $(BENCH)/bin/python --editable ./encoder --editable . -r requirements-peers.txt
	touch $@
