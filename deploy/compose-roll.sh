#!/bin/sh
# Replaces the workers of compose.yaml one after the other: the next goes when the one before is ready.
#   sh deploy/compose-roll.sh
# Compose by itself replaces all at once. The proxy asks for the new one's address when it reads its file again.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
seconds=${SECONDS_TO_WAIT:-120}

compose() {
    docker compose --file "$here/compose.yaml" "$@"
}

ready() {
    compose exec --no-TTY "$1" python -c \
        "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=4)" >/dev/null 2>&1
}

compose build worker-1
for worker in $(compose config --services | grep '^worker-' | sort); do
    echo "$worker: is replaced"
    compose up --detach --no-deps --no-build --force-recreate "$worker"
    waited=0
    until ready "$worker"; do
        if [ "$waited" -ge "$seconds" ]; then
            echo "$worker: is not ready after $seconds s; the others go on as they were" >&2
            exit 1
        fi
        waited=$((waited + 1))
        sleep 1
    done
    compose exec --no-TTY proxy nginx -s reload
    echo "$worker: is ready"
done
