#!/bin/sh
# Makes the secrets of compose.yaml in a folder, once: the key that encrypts dice masters at rest,
# PostgreSQL's password, and with it the addresses of the store and of the database that backups are tried in. What is there already is left alone.
#   sh make-secrets.sh FOLDER
set -eu

folder=${1:?the folder for the secrets}
umask 077
mkdir -p "$folder"

random() {
    od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'
}

make() {
    if [ -e "$folder/$1" ]; then
        echo "$1: kept"
    else
        printf '%s\n' "$2" >"$folder/$1"
        # Only the folder keeps others out: in the container it is another user who reads the file.
        chmod 444 "$folder/$1"
        echo "$1: made"
    fi
}

make decklog_key "$(random 32)"
make postgres_password "$(random 24)"
password=$(cat "$folder/postgres_password")
make decklog_store "postgresql://decklog:$password@postgres/decklog"
make decklog_scratch "postgresql://decklog:$password@postgres/scratch"
