# Used by the Makefile: install.sh ENVIRONMENT LOCKFILE [keep]
# Brings ENVIRONMENT to what LOCKFILE says, and soulmem itself into it, editable.
# "keep": what is there beside the lock file's packages stays.
set -eu
env=$1 lock=$2 keep=${3:-}

if "$env/bin/uv" --version >/dev/null 2>&1; then
    uv="$env/bin/uv pip"
    here="--python $env/bin/python --quiet"
    if [ "$keep" ]; then
        $uv install $here --no-deps --require-hashes --build-constraints requirements/build.txt -r "$lock"
    else
        $uv sync $here --require-hashes --build-constraints requirements/build.txt "$lock"
    fi
    $uv install $here --no-deps --no-build-isolation --editable .
else
    "$env/bin/python" -m pip install --quiet --no-deps --require-hashes -r "$lock"
    "$env/bin/python" -m pip install --quiet --no-deps --no-build-isolation --editable .
fi
