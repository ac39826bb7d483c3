#!/usr/bin/env bash
# Takes a backup of a volume that goes on serving, and says where it is.
#   deploy/backup.sh '$VOLUME' [NAME]      NAME by default: the volume's name and the time
# The volume's server must have been started with --backup-directory; NAME is a new folder below
# it, on the server's machine. Needs $QUIRE_ROUTER (or a router on 127.0.0.1:7000).
set -euo pipefail
usage() { sed -n '2,5s/^# \{0,1\}//p' "$0"; }
case ${1:-} in -h | --help) usage; exit 0 ;; esac
[ $# -ge 1 ] && [ $# -le 2 ] || { usage >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
bin=${QUIRE_BIN:-$here/build/release/bin}
volume=$1
case $volume in
  \$?*) ;;
  *) echo "backup.sh: \"$volume\" is no volume; quote it: '\$DATA01'" >&2; exit 2 ;;
esac
name=${2:-${volume#\$}-$(date +%Y%m%d-%H%M%S)}
case $name in *\"*) echo "backup.sh: no quotes in a name, please" >&2; exit 2 ;; esac
[ -x "$bin/fup" ] || { echo "backup.sh: build first: deploy/build.sh" >&2; exit 2; }
exec "$bin/fup" "BACKUP $volume, TO \"$name\""
