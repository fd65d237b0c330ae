#!/bin/sh
# Backups and drills of a PostgreSQL store, in a container of the image's target "backup".
#   backups.sh copy      a copy, its games read, the oldest beyond 28 dropped
#   backups.sh drill     the newest copy restored, played on and judged
#   backups.sh always    a copy every six hours, and a drill after each 28th, until it is stopped
# The addresses of the store and of an empty database are in files, as is the key.
set -eu

python=${PYTHON:-python3}
secrets=${SECRETS:-/run/secrets}
folder=${FOLDER:-/var/lib/decklog-backup}
export DECKLOG_KEY_FILE="${DECKLOG_KEY_FILE:-$secrets/decklog_key}"

# The program by its module: this image has no `decklog` of its own.
program=${TMPDIR:-/tmp}/decklog
module=${MODULE:-decklog.service}
printf '#!/bin/sh\nexec %s -m %s.cli "$@"\n' "$python" "$module" >"$program"
chmod 700 "$program"

copy() {
    "$python" -m "$module.backups.copies" postgresql "@$secrets/decklog_store" "$folder" \
        --keep 28 --scratch "@$secrets/decklog_scratch" --decklog "$program"
}

drill() {
    "$program" backup drill "$folder" --scratch "@$secrets/decklog_scratch"
}

case ${1:-} in
copy) copy ;;
drill) drill ;;
always)
    trap 'exit 0' TERM INT
    count=0
    while :; do
        # One that fails is told by last.json and drill.json, and is an alert: the next is made anyway.
        copy || true
        [ $((count % 28)) -ne 0 ] || drill || true
        count=$((count + 1))
        sleep 21600 &
        wait $!
    done
    ;;
*)
    echo "usage: backups.sh copy|drill|always" >&2
    exit 2
    ;;
esac
