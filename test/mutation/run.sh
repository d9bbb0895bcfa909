#!/usr/bin/env bash
# Changes each domain a little, thousands of times, and counts how many changes its unit tests notice: at least 85 % a service.
# test/mutation/run.sh [SERVICE ...]; what was not noticed is printed, and is in .stryker/SERVICE.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- content contributions identity quota
weak=()
for service in "$@"; do
  rm -f .stryker/report.json
  npx stryker run test/mutation/stryker.config.json --mutate "services/$service/src/domain/**/*.ts,!**/*.test.ts" || weak+=("$service")
  mv .stryker/report.json ".stryker/$service.json"
done
[ ${#weak[@]} -eq 0 ] || { echo "under 85 %: ${weak[*]}" >&2; exit 1; }
