# Two commands do everything:
#   make kit    sets up, then checks every pack and builds what each game ships
#   make test   sets up, then runs the linters and all quick tests
# Others: make test-all also runs the slow tests, replays all recordings of tests/net, and checks in VASSAL (ENGINE=FOLDER) and in a
# browser where they are there; make release writes dist/release/; make check-engine ENGINE=FOLDER checks in an installed VASSAL;
# make check-peer lets pywargame read modules and saves back; make bench measures, make bench-peer measures side by side with LaTeX's
# wargame package; make fuzz MINUTES=n feeds damaged files and requests; make docs writes the documents as a site to dist/docs/;
# make keep [LOCKS=new] keeps what this version writes, for later versions to open (CONTRIBUTING.md, "Before a release").
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: kit test test-all release keep docs check-engine check-peer check-page bench bench-peer fuzz clean

kit: $(READY)
	$(BIN)/modgen build --only kit --only module --only json

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist worksteal

test-all: test
	$(BIN)/python -m pytest -n auto -m slow
	@if [ -f "$(ENGINE)/lib/Vengine.jar" ]; then $(BIN)/python -m tests.engine --engine "$(ENGINE)"; \
	  else echo "left out: VASSAL (name an installed one: make test-all ENGINE=FOLDER)"; fi
	$(BIN)/python -m tests.check_page || [ $$? -eq 2 ]

release: $(READY)
	$(BIN)/modgen release

keep: $(READY)
	$(BIN)/python -m tests.keep $(if $(filter new,$(LOCKS)),--locks)

docs: $(READY)
	$(BIN)/modgen docs --out dist/docs

ENGINE ?= VASSAL
check-engine: $(READY)
	$(BIN)/python -m tests.engine --engine "$(ENGINE)"

PYTHON312 ?= python3.12
PEER := build/peer
check-peer: $(READY)
	@$(PYTHON312) -c "import sys; sys.exit(sys.version_info < (3, 12))" 2>/dev/null || { \
	  echo "pywargame needs Python 3.12 or newer; install one and name it: make check-peer PYTHON312=/path/to/python3.12"; exit 2; }
	$(PYTHON312) -m venv $(PEER)
	$(PEER)/bin/python -m pip install --quiet --disable-pip-version-check pywargame==0.8.0
	$(BIN)/python -m tests.peer $(PEER)/bin/python

bench: $(READY)
	$(BIN)/python -m benchmarks

MINUTES ?= 5
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

# Side by side with LaTeX's wargame package, where it is installed; docs/benchmarks.md.
bench-peer: $(READY)
	$(BIN)/python -m benchmarks.peer

# The page in a real browser; needs Chromium or Chrome.
check-page: $(READY)
	$(BIN)/python -m tests.check_page

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	$(BIN)/python -m compileall -q scenarios art modgen assistant
	$(BIN)/python -c "import pathlib; pathlib.Path('$(READY)').touch()"

clean:
	$(PYTHON) -c "import shutil; [shutil.rmtree(d, ignore_errors=True) for d in ('$(VENV)', 'dist', 'build')]"
