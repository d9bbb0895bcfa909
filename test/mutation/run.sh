#!/usr/bin/env bash
# Makes hundreds of small changes to the domain code, and to the analysis and ranking of search. The tests of each service must
# find at least 85 % of them.
# Usage: test/mutation/run.sh [SERVICE|FILE ...]. It prints the changes that no test found, and writes .stryker/NAME-PROJECT.json.
# All of `search` takes hours, so give single files of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- content search contributions identity quota

# Files with a *.mongo.test.ts beside them need a real mongod (project mongodb). All others need none (unit).
files_of() {
  for file in $(find $(folders_of "$1") -name '*.ts' ! -name '*.test.ts' ! -name '*.d.ts' ! -name german-words.ts); do
    if [ -e "${file%.ts}.mongo.test.ts" ]; then echo "mongodb $file"; else echo "unit $file"; fi
  done | sed -n "s/^$2 //p" | paste -sd,
}

folders_of() {
  case "$1" in
    # `search` alone stands for the analysis and ranking of search.
    search) echo services/content/src/search/analysis services/content/src/search/ranking ;;
    *.ts) echo "$1" ;;
    *) echo "services/$1/src/domain" ;;
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
