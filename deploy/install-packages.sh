#!/usr/bin/env bash
# Installs the Debian 12 packages that building and testing Quire needs. As root, or with sudo.
# Does nothing, and needs no rights, when all are there.
#   --peers    also the libraries of the other stores that quire-bench peers measures
set -euo pipefail

packages=(
  g++ clang clang-format clang-tidy libclang-rt-14-dev cmake ninja-build ccache pkg-config git python3
  liblmdb-dev libabsl-dev libprotobuf-dev protobuf-compiler libgrpc++-dev protobuf-compiler-grpc
  libgtest-dev libgmock-dev libbenchmark-dev libxxhash-dev libspdlog-dev nlohmann-json3-dev
  libedit-dev libcsv-dev python3-grpcio python3-protobuf
)

for option in "$@"; do
  case $option in
    --peers) packages+=(librocksdb-dev libleveldb-dev libwiredtiger-dev libdb5.3-dev libsqlite3-dev
                        libpq-dev libhiredis-dev) ;;
    *) echo "unknown option $option" >&2; exit 2 ;;
  esac
done

# Any Node.js will do that is there, whoever packed it.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
