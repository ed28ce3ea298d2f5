# Two commands do everything:
#   make kit    sets up, then checks every pack and builds what each game ships
#   make test   sets up, then runs the linters and all tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: kit test bench check-engine clean

kit: $(READY)
	$(BIN)/modgen build --only kit --only module --only json

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadfile

# ENGINE is the folder of an installed VASSAL (it has lib/Vengine.jar); needs Java, and Xvfb where there is no screen.
check-engine: $(READY)
	$(BIN)/python -m tests.engine.run "$(ENGINE)" $(or $(BATTLES),20) $(or $(SEED),1)

bench: $(READY)
	$(BIN)/python -m benchmarks

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	$(BIN)/python -c "import pathlib; pathlib.Path('$(READY)').touch()"

clean:
	$(PYTHON) -c "import shutil; [shutil.rmtree(d, ignore_errors=True) for d in ('$(VENV)', 'dist', 'build')]"
