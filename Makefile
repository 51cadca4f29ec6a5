# Everything runs from a fresh clone: environments make themselves, from lock files with hashes.
#
#   make demo      a mind, made and asked, in a minute
#   make test      the test suite (without the bge embedder's)
#   make test-bge  the tests of the bge embedder, in an environment of their own (about 1.7 GB)
#   make notebook  a notebook in the browser: NOTEBOOK=decay, association or week; MIND=NAME, else a demonstration
#   make lint      ruff, formatting, types
#   make bench     the benchmarks
#   make fuzz      fuzzing of every reader, or of one: FORMAT=qq; SECONDS=600 by the clock for each; Linux only
#   make lock      new lock files
#   make clean     everything that was made, environments too
#
# PYTHON chooses the interpreter: make test PYTHON=python3.12

PYTHON ?= python3
SHELL := /bin/sh
.DELETE_ON_ERROR:
.PHONY: demo test test-bge lint format bench fuzz notebook lock clean

# An active environment is not ours; and without bytecode each of many processes would compile all anew.
FOREIGN := VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE
unexport $(FOREIGN)

RUN := .venv/bin
# Test processes side by side, one more than cores since some wait for others; each file's tests stay in one.
WORKERS ?= 3
SOURCES := pyproject.toml soulmem/_version.py

demo: .venv/runtime.stamp
	$(RUN)/soulmem demo

test: .venv/dev.stamp
	$(RUN)/python -c 'from soulmem.graph import load_kernel; load_kernel()'
	OMP_NUM_THREADS=1 $(RUN)/python -m pytest -m "not bge" -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

test-bge: .venv-bge/bge.stamp
	HF_HUB_OFFLINE=1 .venv-bge/bin/python -m pytest -m bge tests/embed $(ARGS)

lint: .venv/dev.stamp
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy

format: .venv/dev.stamp
	$(RUN)/ruff check --fix .
	$(RUN)/ruff format .

bench: .venv/dev.stamp
	@for file in $$(grep -l '^if __name__' benchmarks/*.py); do \
	  echo "== $$file"; $(RUN)/python "$$file" $(ARGS) || exit 1; done

SECONDS ?= 600
fuzz: .venv-fuzz/fuzz.stamp
	PYTHONPATH=tests/ingest .venv-fuzz/bin/python fuzz/campaign.py --seconds $(SECONDS) $(FORMAT) $(ARGS)

NOTEBOOK ?= decay
notebook: .venv/dev.stamp
	$(RUN)/marimo run notebooks/$(NOTEBOOK).py -- $(if $(MIND),--mind $(MIND)) $(ARGS)

# ---- environments ---------------------------------------------------------------------------------------------------------

# A virtual environment with uv in it (installed by hash); where uv cannot be had, pip does its work, slower.
.venv/uv.stamp .venv-bge/uv.stamp .venv-fuzz/uv.stamp: requirements/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "soulmem needs Python 3.11 or newer, and '$(PYTHON)' is not. Name another one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info >= (3, 14))' || { \
	  echo "Some of soulmem's dependencies are not built for Python 3.14 yet. Name another one: make $(MAKECMDGOALS) PYTHON=python3.13" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --require-hashes -r requirements/uv.txt || echo "uv is not to be had here; using pip" >&2
	@touch $@

.venv/runtime.stamp: .venv/uv.stamp requirements/runtime.txt requirements/build.txt $(SOURCES)
	@if test -e .venv/dev.stamp; then $(MAKE) --no-print-directory .venv/dev.stamp; \
	  else sh requirements/install.sh .venv requirements/runtime.txt; fi
	@touch $@

.venv/dev.stamp: .venv/uv.stamp requirements/dev.txt requirements/build.txt $(SOURCES)
	@sh requirements/install.sh .venv requirements/dev.txt
	@touch $@ .venv/runtime.stamp

.venv-fuzz/fuzz.stamp: .venv-fuzz/uv.stamp requirements/fuzz.txt requirements/build.txt $(SOURCES)
	@sh requirements/install.sh .venv-fuzz requirements/fuzz.txt
	@touch $@

# PyTorch first, a CPU build if pip knows where one is (uv would look only at the index). What is asked for later in less
# detail, pip then takes as there. The last line brings what the chosen build needs beyond the lock: nothing for a CPU build.
PIP_BGE := .venv-bge/bin/python -m pip install --quiet
.venv-bge/bge.stamp: .venv-bge/uv.stamp requirements/bge.txt requirements/torch.txt requirements/torch-cpu.txt requirements/build.txt $(SOURCES)
	$(PIP_BGE) --no-deps --require-hashes -r requirements/torch-cpu.txt || echo "no CPU build of PyTorch found; taking the ordinary one" >&2
	$(PIP_BGE) --no-deps --require-hashes -r requirements/torch.txt
	@sh requirements/install.sh .venv-bge requirements/bge.txt keep
	$(PIP_BGE) $$(cat requirements/torch.in)
	@touch $@

# ---- lock files -----------------------------------------------------------------------------------------------------------

COMPILE := $(RUN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url
# What PyTorch brings for graphics cards is left to pip: a CPU build needs none of it.
CUDA := nvidia-cublas nvidia-cuda-cupti nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cudnn-cu13 nvidia-cufft nvidia-cufile \
	nvidia-curand nvidia-cusolver nvidia-cusparse nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvjitlink nvidia-nvshmem-cu13 \
	nvidia-nvtx cuda-bindings cuda-pathfinder cuda-toolkit triton

lock: .venv/uv.stamp
	$(COMPILE) $(UPGRADE) requirements/uv.in -o requirements/uv.txt
	$(COMPILE) $(UPGRADE) requirements/build.in -o requirements/build.txt
	$(COMPILE) $(UPGRADE) pyproject.toml --group build -o requirements/runtime.txt
	$(COMPILE) $(UPGRADE) pyproject.toml --group dev -o requirements/dev.txt
	$(COMPILE) $(UPGRADE) pyproject.toml --group fuzz -o requirements/fuzz.txt
	$(COMPILE) $(UPGRADE) pyproject.toml --group build --group test --extra bge -c requirements/torch.in \
	  $(addprefix --no-emit-package ,torch $(CUDA)) -o requirements/bge.txt

clean:
	rm -rf .venv .venv-bge .venv-fuzz build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . \( -name __pycache__ -o -name __marimo__ \) -type d -prune -exec rm -rf {} +
