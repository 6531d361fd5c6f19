#!/bin/sh
# Builds the image for both processors and pushes it, with an SBOM and the provenance of the build attached. The bases are those that
# deploy/pin-images.sh wrote to .env.            deploy/image.sh registry.example.com/sextant:0.1.0
set -eu
if [ $# -ne 1 ]; then
  echo "usage: deploy/image.sh <image>:<version>" >&2
  exit 2
fi
cd "$(dirname "$0")/.."
if [ ! -e .env ]; then
  echo "no .env: run deploy/pin-images.sh first" >&2
  exit 1
fi
pinned() {
  sed -n "s/^$1=//p" .env | grep @sha256: || {
    echo "no $1 with a digest in .env: run deploy/pin-images.sh first" >&2
    exit 1
  }
}
node=$(pinned SEXTANT_NODE_IMAGE)
base=$(pinned SEXTANT_BASE_IMAGE)
exec docker buildx build --platform linux/amd64,linux/arm64 --sbom=true --provenance=mode=max \
  --build-arg "NODE_IMAGE=$node" --build-arg "BASE_IMAGE=$base" --tag "$1" --push .
