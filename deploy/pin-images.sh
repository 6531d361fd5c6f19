#!/bin/sh
# Writes to .env, which compose reads, the images that the deployment is made of, each with the digest that its tag has today.
# Run it again to take newer ones. Needs Docker with buildx, and a network.
set -eu
cd "$(dirname "$0")/.."
pinned=.env.tmp
umask 022
trap 'rm -f "$pinned"' EXIT
: >"$pinned"
while read -r variable image; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  case $digest in
    sha256:????????????????????????????????????????????????????????????????) ;;
    *)
      echo "no digest for $image; nothing was changed" >&2
      exit 1
      ;;
  esac
  echo "$variable=$image@$digest" >>"$pinned"
done <<END
SEXTANT_NODE_IMAGE node:26-slim
SEXTANT_BASE_IMAGE gcr.io/distroless/nodejs26-debian13:nonroot
NGINX_IMAGE nginx:1.28-alpine
VALKEY_IMAGE valkey/valkey:8.1-alpine
POSTGRES_IMAGE postgres:17-alpine
END
# Other settings that stand in .env are kept.
if [ -e .env ]; then
  grep -v -E '^(SEXTANT_NODE_IMAGE|SEXTANT_BASE_IMAGE|NGINX_IMAGE|VALKEY_IMAGE|POSTGRES_IMAGE)=' .env >>"$pinned" || true
fi
mv "$pinned" .env
