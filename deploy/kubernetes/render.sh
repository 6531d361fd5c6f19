#!/bin/sh
# Renders the chart into plain manifests: one pod, and replicas with their engines. Needs Helm. A test compares the checksum at their top.
set -eu
cd "$(dirname "$0")/../.."
chart=deploy/helm/sextant
checksum=$(find "$chart" -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -d ' ' -f 1)

render() {
  folder=deploy/kubernetes/$1
  shift
  mkdir -p "$folder"
  helm template sextant "$chart" --namespace sextant "$@" >"$folder/rendered.tmp"
  {
    echo "# Rendered by deploy/kubernetes/render.sh from $chart, whose files have the SHA-256"
    echo "# $checksum"
    cat "$folder/rendered.tmp"
  } >"$folder/sextant.yaml"
  rm "$folder/rendered.tmp"
}

render single
render cluster --values "$chart/values-cluster.yaml"
