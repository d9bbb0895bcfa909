#!/usr/bin/env bash
# Makes the passwords of a try-out in secrets/ beside this file, once: what is there stays. Git ignores them.
#   make-secrets.sh [DIR]    DIR: another folder than secrets/
set -euo pipefail
case ${1-} in -h | --help) sed -n '2,3s/^# //p' "$0"; exit ;; esac
cd "$(dirname "$0")"
umask 077
dir=${1:-secrets}
mkdir -p "$dir"
[ -s "$dir/key-file" ] || openssl rand -base64 512 > "$dir/key-file"
[ -s "$dir/continuation" ] || openssl rand -hex 32 > "$dir/continuation"
[ -s "$dir/oidc" ] || openssl rand -hex 32 > "$dir/oidc"
hosts=mongodb-0.mongodb:27017,mongodb-1.mongodb:27017,mongodb-2.mongodb:27017
for user in content quota identity contributions operations; do
  [ -s "$dir/$user" ] || echo "mongodb://$user:$(openssl rand -hex 24)@$hosts/?replicaSet=knowledge&authSource=admin" > "$dir/$user"
done
