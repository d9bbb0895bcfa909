#!/usr/bin/env bash
# Makes hundreds of small changes to the rules of a service, or to those of search. The tests beside them must find at least
# 85 % of them.
# Usage: test/mutation/run.sh [SERVICE|FILE ...]. It prints the changes that no test found, and writes .stryker/NAME-PROJECT.json.
# All of `search` takes hours, so give single files of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- content search contributions identity quota

# Files with a *.mongo.test.ts beside them need a real mongod (project mongodb). All others need none (unit).
files_of() {
  for file in $(candidates_of "$1" | grep -vE '\.(test|d)\.ts$'); do
    if [ -e "${file%.ts}.mongo.test.ts" ]; then echo "mongodb $file"; else echo "unit $file"; fi
  done | sed -n "s/^$2 //p" | paste -sd,
}

candidates_of() {
  case "$1" in
    search) find services/content/src/search/*/ -name '*.ts' ;;
    *.ts) echo "$1" ;;
    # What is neither wire nor database, and no worker: the import rules have the same names.
    *) find services/"$1"/src/*/ -name '*.ts' | grep -vE '/(handlers|wire|store|schema|documents|workers?|clients?|mail|search|testing)[/.-]' ;;
  esac
}

weak=()
for service in "$@"; do
  for project in unit mongodb; do
    files=$(files_of "$service" "$project")
    [ -n "$files" ] || continue
    rm -f .stryker/report.json
    MUTATION_PROJECT=$project npx stryker run test/mutation/stryker.config.json --mutate "$files" || weak+=("$service")
    mv .stryker/report.json ".stryker/$(basename "$service" .ts)-$project.json"
  done
done
[ ${#weak[@]} -eq 0 ] || { echo "under 85 %: ${weak[*]}" >&2; exit 1; }
