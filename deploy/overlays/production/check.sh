#!/usr/bin/env bash
# Says what of this overlay and of the jobs is still as it was shipped, and ends with 1 if anything is: run it before kubectl apply -k.
#   check.sh [RENDERED]    RENDERED: what is checked instead of these folders, - for standard input
set -euo pipefail
case ${1-} in -h | --help) sed -n '2,3s/^# //p' "$0"; exit ;; esac
if [ $# -gt 0 ]; then rendered=$(cat "$1"); else cd "$(dirname "$0")"; rendered=$(kubectl kustomize . && cat ../../jobs/*.yaml); fi
# Names and networks that are reserved for examples (RFC 2606, RFC 5737), the digest of nothing, images of this machine.
left=$(grep -nE '[.]example\b|192[.]0[.]2[.]|198[.]51[.]100[.]|203[.]0[.]113[.]|sha256:0{64}|localhost/' <<< "$rendered" || true)
[ -n "$left" ] || { echo "nothing is left as it was shipped"; exit; }
echo "still as it was shipped:"
printf '%s\n' "$left" | sed 's/^[0-9]*: */  /' | sort -u
exit 1
