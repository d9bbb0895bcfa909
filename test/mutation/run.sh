#!/usr/bin/env bash
# Makes thousands of small changes to the domain code. The unit tests of each service must find at least 85 % of them.
# Usage: test/mutation/run.sh [SERVICE ...]. It prints the changes that no test found, and writes .stryker/SERVICE.json.
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
