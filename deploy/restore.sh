#!/usr/bin/env bash
# Makes a new volume directory of a backup; start quire-volume on it afterwards.
#   deploy/restore.sh BACKUP NEWDIR [--name '$VOLUME'] [--trail-archive DIR[,DIR]...]
#                     [--until-lsn N | --until-time 'YYYY-MM-DD hh:mm:ss']
# Without a limit it goes as far as backup and archives have trail. NEWDIR must be missing or empty.
# A DIR is what the volume had as --trail-archive, or the trail directory of the stopped volume.
set -euo pipefail
usage() { sed -n '2,6s/^# \{0,1\}//p' "$0"; }
case ${1:-} in -h | --help) usage; exit 0 ;; esac
[ $# -ge 2 ] || { usage >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
bin=${QUIRE_BIN:-$here/build/release/bin}
backup=$1
directory=$2
shift 2
[ -f "$backup/manifest" ] || { echo "restore.sh: $backup is no backup: it has no manifest" >&2; exit 2; }
[ -x "$bin/quire-volume" ] || { echo "restore.sh: build first: deploy/build.sh" >&2; exit 2; }
exec "$bin/quire-volume" --restore "$backup" --directory "$directory" "$@"
