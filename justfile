# The commands of the house. `just` alone does what a change must pass.

default: lint test

# Format, then check style, types and layers.
lint:
    .venv/bin/ruff format .
    .venv/bin/ruff check .
    .venv/bin/mypy
    .venv/bin/lint-imports

# The default tests, in parallel.
test *ARGS:
    .venv/bin/python -m pytest {{ARGS}}

# On real weights, after `batchtui models fetch smollm2`.
llama:
    .venv/bin/python -m pytest -n 0 -m llama

# Long random runs.
soak:
    .venv/bin/python -m pytest -n 0 -m soak

# The figures that README.md quotes.
bench:
    .venv/bin/batchtui bench scheduler

# The pictures of README.md and docs/, drawn by the program itself, and the tables of docs/complexity.md.
pictures:
    .venv/bin/python assets/pictures/make.py
    .venv/bin/python assets/pictures/complexity.py

# What continuous integration does.
ci:
    .ci/run

# A fresh environment with everything in it.
install:
    python3 -m venv .venv
    .venv/bin/pip install -q -c tests/constraints.txt -e '.[test,static,llama]'
