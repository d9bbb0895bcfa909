#!/usr/bin/env bash
# Installs the programs that test the API from outside into a cache, each version once. Needs Python 3 and npm.
set -euo pipefail
schemathesis=4.32.1 redocly=2.77.0 spectral=6.16.3
bin=${XDG_CACHE_HOME:-$HOME/.cache}/knowledge/strangers
mkdir -p "$bin"
exec 9> "$bin/lock"
flock 9

installed() { [ "$(cat "$bin/$1.version" 2> /dev/null)" = "$2" ]; }
python_program() { # NAME VERSION
  installed "$1" "$2" && return
  echo "installing $1 $2" >&2
  python3 -m venv --clear "$bin/$1.venv"
  "$bin/$1.venv/bin/pip" install --quiet --disable-pip-version-check "$1==$2" >&2
  ln -sf "$1.venv/bin/$1" "$bin/$1"
  echo "$2" > "$bin/$1.version"
}
node_program() { # NAME VERSION PACKAGE: outside the workspace, which their 240 packages would slow down
  installed "$1" "$2" && return
  echo "installing $1 $2" >&2
  rm -rf "$bin/$1.modules"
  npm install --prefix "$bin/$1.modules" --ignore-scripts --no-audit --no-fund --loglevel=error "$3@$2" >&2
  ln -sf "$1.modules/node_modules/.bin/$1" "$bin/$1"
  echo "$2" > "$bin/$1.version"
}

python_program schemathesis "$schemathesis"
node_program redocly "$redocly" @redocly/cli
node_program spectral "$spectral" @stoplight/spectral-cli
echo "$bin"
