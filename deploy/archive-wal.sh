#!/bin/sh
# PostgreSQL's archive_command: a part of its log into a folder, compressed, whole or not at all.
#   archive_command = 'sh /opt/decklog/share/archive-wal.sh %p %f /srv/decklog-wal'
#   restore_command = 'gzip -dc /srv/decklog-wal/%f.gz > %p'
# What is there already is never overwritten; the same once more is no fault. deploy/DRILLS.md has the way back.
set -eu

from=${1:?the part}
name=${2:?its name}
folder=${3:?the folder}
target=$folder/$name.gz
umask 077

if [ -e "$target" ]; then
    gzip -dc "$target" | cmp -s - "$from" && exit 0
    echo "archive-wal: $target is there and differs" >&2
    exit 1
fi
gzip -c "$from" >"$target.part"
sync "$target.part"
mv "$target.part" "$target"
sync "$folder"
