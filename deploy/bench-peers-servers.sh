#!/usr/bin/env bash
# Runs a command with private PostgreSQL and Redis servers beside it, on 127.0.0.1 and free ports,
# with their data in a temporary folder. Stops them and removes the folder at its end, on Ctrl-C and
# on SIGTERM. Packaged services are neither used nor touched.
#   deploy/bench-peers-servers.sh [--install] [--small] [--directory DIR] COMMAND [argument …]
#   deploy/bench-peers-servers.sh [--install] [--small] [--directory DIR] --addresses FILE
# The command finds the servers by QUIRE_BENCH_POSTGRESQL, QUIRE_BENCH_REDIS_ALWAYS and
# QUIRE_BENCH_REDIS_EVERYSEC. --addresses writes these as lines into FILE and waits for a signal.
# --install: as root, installs the packages that are missing, and neither starts nor enables their
# services. --small: little memory, no huge pages, as tests want it. A server that is not installed is left
# out, with a line on standard error. As root, PostgreSQL runs as the user postgres, and
# vm.nr_hugepages is raised meanwhile and put back.
set -euo pipefail

install=
small=
parent=${TMPDIR:-/tmp}
addresses=
while [ $# -gt 0 ]; do
  case $1 in
    --install) install=yes; shift ;;
    --small) small=yes; shift ;;
    --directory) parent=$2; shift 2 ;;
    --addresses) addresses=$2; shift 2 ;;
    --) shift; break ;;
    -*) echo "unknown option $1" >&2; exit 2 ;;
    *) break ;;
  esac
done
if [ $# -eq 0 ] && [ -z "$addresses" ]; then
  echo "usage: $0 [--install] [--small] [--directory DIR] COMMAND … | --addresses FILE" >&2
  exit 2
fi

# A package starts its service at once; a policy that says no keeps it from that.
install_servers() {
  local missing=() package state policy=/usr/sbin/policy-rc.d made= code=0
  for package in postgresql redis-server; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    echo "not root, so not installed: ${missing[*]}" >&2
    return 0
  fi
  echo "installing: ${missing[*]}" >&2
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    made=yes
  fi
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    >/dev/null || code=$?
  [ -z "$made" ] || rm -f "$policy"
  if command -v systemctl >/dev/null; then
    for package in "${missing[@]}"; do systemctl disable --quiet "$package" 2>/dev/null || true; done
  fi
  return "$code"
}
[ -z "$install" ] || install_servers

# 1 GB of shared buffers and what goes with them, in pages of 2 MiB.
huge_pages_wanted=700
huge_pages_file=/proc/sys/vm/nr_hugepages
huge_pages_before=
servers=()
command_pid=

mkdir -p "$parent"
folder=$(mktemp -d "$parent/quire-peers-XXXXXX")
chmod 711 "$folder"  # the user postgres passes through

put_back() {
  trap '' INT TERM
  if [ -n "$command_pid" ]; then
    # Ctrl-C has reached it too: it may end in good order before it is told again.
    for _ in $(seq 50); do kill -0 "$command_pid" 2>/dev/null || break; sleep 0.1; done
    kill -TERM "$command_pid" 2>/dev/null || true
    wait "$command_pid" 2>/dev/null || true
  fi
  for pid in "${servers[@]}"; do kill -INT "$pid" 2>/dev/null || true; done
  for pid in "${servers[@]}"; do wait "$pid" 2>/dev/null || true; done
  [ -z "$huge_pages_before" ] || echo "$huge_pages_before" >"$huge_pages_file"
  rm -rf "$folder"
}
trap put_back EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The same help with memory as quire-bench gives the stores in process.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=67108864:\
glibc.malloc.trim_threshold=1073741824:glibc.malloc.arena_max=2

# Three ports that are free now.
read -r postgresql_port always_port everysec_port < <(python3 - <<'PORTS'
import socket
held = [socket.socket() for _ in range(3)]
for s in held:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in held))
PORTS
)

# await NAME LOG PID COMMAND …: until the command succeeds; the server must live on meanwhile.
await() {
  local name=$1 log=$2 pid=$3
  shift 3
  for _ in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  echo "$name did not start; its log ends:" >&2
  tail -5 "$log" >&2
  exit 3
}

raise_huge_pages() {
  [ -z "$small" ] && [ "$(id -u)" -eq 0 ] && [ -w "$huge_pages_file" ] || return 0
  local free_kib
  free_kib=$(awk '/^MemAvailable/ {print $2}' /proc/meminfo)
  [ "$free_kib" -gt $((huge_pages_wanted * 2048 * 3)) ] || return 0
  huge_pages_before=$(cat "$huge_pages_file")
  echo $((huge_pages_before + huge_pages_wanted)) >"$huge_pages_file" || huge_pages_before=
}

start_postgresql() {
  local programs data=$folder/postgresql log=$folder/postgresql.log as=()
  programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
  if [ -z "$programs" ] || [ ! -x "$programs/initdb" ]; then
    echo "PostgreSQL is not installed: left out" >&2
    return 0
  fi
  mkdir -m 700 "$data"
  if [ "$(id -u)" -eq 0 ]; then
    chown postgres "$data"
    as=(setpriv --reuid=postgres --regid=postgres --init-groups)
    if ! (cd / && "${as[@]}" test -x "$data"); then
      echo "the user postgres cannot reach $folder; name another folder with --directory" >&2
      exit 3
    fi
  fi
  (cd / && "${as[@]}" "$programs/initdb" -D "$data" -U postgres -A trust -E UTF8 \
    --locale=C.UTF-8 --no-sync >"$log" 2>&1) || { tail -5 "$log" >&2; exit 3; }
  raise_huge_pages
  cat >>"$data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $postgresql_port
unix_socket_directories = ''
synchronous_commit = on
huge_pages = $([ -n "$small" ] && echo off || echo try)
shared_buffers = $([ -n "$small" ] && echo 16MB || echo 1GB)
max_wal_size = $([ -n "$small" ] && echo 64MB || echo 4GB)
min_wal_size = $([ -n "$small" ] && echo 32MB || echo 1GB)
checkpoint_timeout = 30min
CONF
  setpriv --pdeathsig INT -- "${as[@]}" setpriv --pdeathsig INT -- \
    "$programs/postgres" -D "$data" >>"$log" 2>&1 </dev/null &
  servers+=($!)
  await PostgreSQL "$log" $! "$programs/pg_isready" -h 127.0.0.1 -p "$postgresql_port" -U postgres
  export QUIRE_BENCH_POSTGRESQL="host=127.0.0.1 port=$postgresql_port user=postgres dbname=postgres"
}

# start_redis APPENDFSYNC PORT
start_redis() {
  local data=$folder/redis-$1 log=$folder/redis-$1.log
  mkdir "$data"
  setpriv --pdeathsig TERM -- redis-server --bind 127.0.0.1 --port "$2" --dir "$data" \
    --appendonly yes --appendfsync "$1" --save '' --daemonize no >"$log" 2>&1 </dev/null &
  servers+=($!)
  await "Redis ($1)" "$log" $! redis-cli -h 127.0.0.1 -p "$2" ping
}

start_postgresql
if command -v redis-server >/dev/null && command -v redis-cli >/dev/null; then
  start_redis always "$always_port"
  export QUIRE_BENCH_REDIS_ALWAYS="127.0.0.1:$always_port"
  start_redis everysec "$everysec_port"
  export QUIRE_BENCH_REDIS_EVERYSEC="127.0.0.1:$everysec_port"
else
  echo "Redis is not installed: left out" >&2
fi

if [ -n "$addresses" ]; then
  env | grep '^QUIRE_BENCH_' >"$addresses.new" || true
  mv "$addresses.new" "$addresses"
  # Ends by a signal; a server that ends by itself ends it too.
  if [ ${#servers[@]} -gt 0 ]; then wait -n "${servers[@]}"; fi
  exit 3
fi
unset GLIBC_TUNABLES
"$@" <&0 &
command_pid=$!
code=0
wait "$command_pid" || code=$?
command_pid=
exit "$code"
