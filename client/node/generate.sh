#!/usr/bin/env bash
# Makes the Node.js client ready for use in a folder (default: build/node): its sources, our proto
# files, of which it makes its stubs, and the packages of package-lock.json from the npm registry.
# Other projects take it from there: npm install FOLDER.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../../build/node}
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -rf "$out/lib" "$out/proto"
mkdir -p "$out/proto/quire/v1"
cp "$here"/../../proto/quire/v1/*.proto "$out/proto/quire/v1"
cp -r "$here"/{package.json,package-lock.json,.npmrc,index.js,lib,example.js} "$out"
cd "$out"
# Nothing is fetched when what is installed is what the lock file says.
if ! cmp -s package-lock.json node_modules/.quire-installed; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || {
    echo "generate.sh: npm could not install the packages of package-lock.json; see above" >&2
    exit 1
  }
  cp package-lock.json node_modules/.quire-installed
fi
