#!/usr/bin/env bash
# Starts N volume servers $DATA01 … and a router on loopback, and stops them all on Ctrl-C.
#   deploy/up.sh [N] [folder]      defaults: 3 volumes, data under ./quire-data
# The router takes port 7000 when it is free; otherwise the line to export is printed.
set -euo pipefail
count=${1:-3}
data=${2:-quire-data}
here=$(cd "$(dirname "$0")/.." && pwd)
bin=${QUIRE_BIN:-$here/build/release/bin}
[[ $count =~ ^[0-9]+$ ]] && [ "$count" -ge 1 ] && [ "$count" -le 99 ] || {
  echo "up.sh: the number of volumes is 1 to 99, not \"$count\"" >&2; exit 2; }
count=$((10#$count))
[ -x "$bin/quire-volume" ] || { echo "up.sh: build first: deploy/build.sh" >&2; exit 2; }
mkdir -p "$data"
data=$(cd "$data" && pwd)
# One up.sh for a folder: a second one would take the first one's map away.
exec 9>"$data/up.lock"
flock -n 9 || { echo "up.sh: another up.sh serves $data; give this one its own folder" >&2; exit 2; }

pids=()
stop() {
  trap - EXIT INT TERM
  # The router first, so that nobody is sent to a volume that is going.
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do kill -TERM "${pids[i]}" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -f "$data"/*.port "$data/volumes"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# wait_for FILE PID: until the server has written its port, or has ended.
wait_for() {
  until [ -s "$1" ]; do
    kill -0 "$2" 2>/dev/null || { echo "up.sh: a server did not start; see its message above" >&2; exit 1; }
    read -r -t 0.05 _ <> <(:) || true
  done
}

: > "$data/volumes"
for ((n = 1; n <= count; n++)); do
  name=$(printf 'DATA%02d' "$n")
  rm -f "$data/$name.port"
  "$bin/quire-volume" --name "\$$name" --directory "$data/$name" --listen 127.0.0.1:0 \
    --port-file "$data/$name.port" 9>&- &
  pids+=($!)
done
for ((n = 1; n <= count; n++)); do
  name=$(printf 'DATA%02d' "$n")
  wait_for "$data/$name.port" "${pids[n - 1]}"
  address=127.0.0.1:$(cat "$data/$name.port")
  echo "\$$name = $address" >> "$data/volumes"
done

# start_router ADDRESS: true when it listens there.
start_router() {
  rm -f "$data/router.port"
  "$bin/quire-router" --volumes "$data/volumes" --listen "$1" --port-file "$data/router.port" 9>&- &
  pids[count]=$!
  (wait_for "$data/router.port" "${pids[count]}")
}
# Somebody may take the port between the look and the start: then any other will do.
port_taken() { (exec 3<>/dev/tcp/127.0.0.1/7000) 2>/dev/null; }
if port_taken || ! start_router 127.0.0.1:7000; then start_router 127.0.0.1:0 || exit 1; fi
router=127.0.0.1:$(cat "$data/router.port")

echo
cat "$data/volumes"
echo "router    = $router"
[ "$router" = 127.0.0.1:7000 ] || echo "export QUIRE_ROUTER=$router"
echo "Ctrl-C stops them all; data stays under $data"
# Ends when one of the servers does, which is not meant to happen.
wait -n "${pids[@]}" || true
echo "up.sh: a server ended; stopping the others" >&2
exit 1
