#!/usr/bin/env bash
# Makes, with openssl alone, what cert-manager would: an authority of your own and a certificate for each process and role.
#   make-certificates.sh [--days N] [--namespace NAME] DIR
#       DIR/authority.{crt,key}             made once; keep the key out of the cluster
#       DIR/NAME/{tls.crt,tls.key,ca.crt}   made anew at every run, so that running it again renews
#       DIR/secrets.yaml                    for kubectl apply -f: the secrets tls-NAME
# Running processes take renewed files as soon as the kubelet has put them in place (about a minute), without a restart.
set -euo pipefail
usage() { sed -n '2,7s/^# \{0,1\}//p' "$0"; }
days=30 namespace=knowledge dir=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --days) days=${2:?"--days needs a number"}; shift 2 ;;
    --namespace) namespace=${2:?"--namespace needs a name"}; shift 2 ;;
    -*) usage >&2; exit 2 ;;
    *) [ -z "$dir" ] || { usage >&2; exit 2; }; dir=$1; shift ;;
  esac
done
[ -n "$dir" ] || { usage >&2; exit 2; }

umask 077
mkdir -p "$dir"
cd "$dir"
key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
if [ ! -s authority.key ]; then
  openssl req -x509 "${key[@]}" -keyout authority.key -out authority.crt -days 3650 -subj /CN=knowledge \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign 2> /dev/null
fi

certificate() { # NAME USAGES DNS-NAME…
  local name=$1 usages=$2 names
  shift 2
  names=$(printf ',DNS:%s' "$@")
  mkdir -p "$name"
  openssl req -new "${key[@]}" -keyout "$name/tls.key" -out "$name/request" -subj "/CN=$name" 2> /dev/null
  openssl x509 -req -in "$name/request" -CA authority.crt -CAkey authority.key -set_serial "0x$(openssl rand -hex 16)" \
    -days "$days" -out "$name/tls.crt" 2> /dev/null -extfile <(
      echo "basicConstraints=critical,CA:FALSE"
      echo "keyUsage=critical,digitalSignature"
      echo "extendedKeyUsage=$usages"
      echo "subjectAltName=${names#,}"
    )
  rm "$name/request"
  cp authority.crt "$name/ca.crt"
}

secret() { # NAME
  echo "---"
  echo "apiVersion: v1"
  echo "kind: Secret"
  echo "type: kubernetes.io/tls"
  echo "metadata: {name: tls-$1, namespace: $namespace, labels: {app.kubernetes.io/part-of: knowledge}}"
  echo "data:"
  local file
  for file in tls.crt tls.key ca.crt; do echo "  $file: $(base64 < "$1/$file" | tr -d '\n')"; done
}

services=(content quota identity contributions)
callers=(gateway web-desk desk editor moderator support analyst operator partner)
for name in "${services[@]}"; do
  certificate "$name" serverAuth,clientAuth "$name" "$name.$namespace.svc" "$name.$namespace.svc.cluster.local"
done
for name in "${callers[@]}"; do certificate "$name" clientAuth "$name"; done
for name in "${services[@]}" "${callers[@]}"; do secret "$name"; done > secrets.yaml
echo "made ${services[*]} ${callers[*]}, good for $days days; apply $dir/secrets.yaml"
