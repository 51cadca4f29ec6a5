# Used by the Makefile: install.sh ENVIRONMENT LOCKFILE [keep]
# Brings ENVIRONMENT to what LOCKFILE says, and soulmem itself into it, editable.
# "keep": what is there beside the lock file's packages stays.
# With uv where it is there and works; else with pip, which knows certificates and mirrors that only its own settings name.
set -eu
env=$1 lock=$2 keep=${3:-}

with_uv() {
    uv="$env/bin/uv pip"
    here="--python $env/bin/python --quiet"
    if [ "$keep" ]; then
        $uv install $here --no-deps --require-hashes --build-constraints requirements/build.txt -r "$lock" || return 1
    else
        $uv sync $here --require-hashes --build-constraints requirements/build.txt "$lock" || return 1
    fi
    $uv install $here --no-deps --no-build-isolation --editable .
}

with_pip() {
    "$env/bin/python" -m pip install --quiet --no-deps --require-hashes -r "$lock"
    "$env/bin/python" -m pip install --quiet --no-deps --no-build-isolation --editable .
}

if "$env/bin/uv" --version >/dev/null 2>&1; then
    with_uv || { echo "uv cannot install this here; using pip" >&2; with_pip; }
else
    with_pip
fi
