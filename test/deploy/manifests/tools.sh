#!/usr/bin/env bash
# Installs the tools that check manifests into a cache, each version once. Prints the folder of the tools. Needs Go and Python 3.
set -euo pipefail
cd "$(dirname "$0")"
kustomize=5.7.1 oldest_kustomize=4.5.7 kube_score=1.20.0 checkov=3.3.30 kubernetes_validate=1.37.0
bin=${XDG_CACHE_HOME:-$HOME/.cache}/knowledge/manifest-tools
mkdir -p "$bin"
exec 9> "$bin/lock"
flock 9

installed() { [ "$(cat "$bin/$1.version" 2> /dev/null)" = "$2" ]; }
program() { # NAME VERSION PACKAGE
  installed "$1" "$2" && return
  echo "installing $1 $2" >&2
  GOBIN=$bin/$1.bin GOFLAGS='' CGO_ENABLED=0 go install "$3@v$2" >&2
  ln -sf "$1.bin/$(basename "${3%/v[0-9]}")" "$bin/$1"
  echo "$2" > "$bin/$1.version"
}
python_program() { # NAME VERSION: each in an environment of its own, whose dependencies quarrel with no other's
  installed "$1" "$2" && return
  echo "installing $1 $2" >&2
  python3 -m venv --clear "$bin/$1.venv"
  "$bin/$1.venv/bin/pip" install --quiet --disable-pip-version-check "$1==$2" >&2
  ln -sf "$1.venv/bin/$1" "$bin/$1"
  echo "$2" > "$bin/$1.version"
}

program kustomize "$kustomize" sigs.k8s.io/kustomize/kustomize/v5
program kustomize-oldest "$oldest_kustomize" sigs.k8s.io/kustomize/kustomize/v4
program kube-score "$kube_score" github.com/zegl/kube-score/cmd/kube-score
python_program checkov "$checkov"
python_program kubernetes-validate "$kubernetes_validate"
(cd pod-security && CGO_ENABLED=0 go build -buildvcs=false -o "$bin/pod-security" .)
echo "$bin"
