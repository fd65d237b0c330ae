#!/bin/sh
# Makes what a service of one machine needs: user, folders, program, key and units. Run again it replaces the program
# by that of the wheel; key, address and units that you have changed are left alone.
#   sh install.sh [--dry-run] [--root FOLDER] [--postgres ADDRESS_FILE] WHEEL
#   --dry-run    only says what it would do
#   --root       below another folder than /, with no user made and nothing started
#   --postgres   workers on the database whose address is in that file, in place of one SQLite file
# Run it as root. It starts nothing: its last lines say how.
set -eu
umask 022 # whatever root's is: the service's user has to read the program

dry='' root='' store='' wheel=''
while [ $# -gt 0 ]; do
    case $1 in
    --dry-run) dry=yes ;;
    --root) [ -n "${2:-}" ] || { echo "install: --root needs a folder" >&2 && exit 2; }
        root=$2 && shift ;;
    --postgres) [ -n "${2:-}" ] || { echo "install: --postgres needs the file with the address" >&2 && exit 2; }
        store=$2 && shift ;;
    -h | --help) sed -n '2,/^set /s/^# //p' "$0" && exit 0 ;;
    -*) echo "install: $1 is not known; --help says how it is used" >&2 && exit 2 ;;
    *) wheel=$1 ;;
    esac
    shift
done
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
[ -n "$wheel" ] || { echo "install: name the wheel; --help says how" >&2 && exit 2; }
[ -f "$wheel" ] || { echo "install: there is no $wheel" >&2 && exit 2; }
[ -z "$store" ] || [ -f "$store" ] || { echo "install: there is no $store" >&2 && exit 2; }
[ -n "$dry$root" ] || [ "$(id -u)" = 0 ] || { echo "install: be root, or say --dry-run" >&2 && exit 2; }

run() {
    echo "$*"
    [ -n "$dry" ] || "$@"
}

secret() { # a file of root's alone, which systemd hands to the service
    if [ -e "$root/etc/decklog/$1" ]; then
        echo "kept $root/etc/decklog/$1"
    else
        echo "make $root/etc/decklog/$1"
        [ -n "$dry" ] || (umask 077 && cat >"$root/etc/decklog/$1")
    fi
}

folders() { # mode, folders
    mode=$1
    shift
    run mkdir -p "$@"
    run chmod "$mode" "$@"
}

put() { # mode, file, place
    run cp "$2" "$3"
    run chmod "$1" "$3"
}

unit() {
    if [ -e "$root/etc/systemd/system/$1" ] && ! cmp -s "$here/systemd/$1" "$root/etc/systemd/system/$1"; then
        echo "kept $root/etc/systemd/system/$1, which differs"
    else
        put 0644 "$here/systemd/$1" "$root/etc/systemd/system/$1"
    fi
}

if [ -z "$root" ] && ! id decklog >/dev/null 2>&1; then
    run useradd --system --home-dir /var/lib/decklog --no-create-home --shell /usr/sbin/nologin decklog
fi
folders 0755 "$root/opt/decklog/share" "$root/etc/systemd/system"
folders 0700 "$root/etc/decklog"
# By pip, and not by Python: without the package python3-venv Debian's leaves an environment that has no pip.
[ -x "$root/opt/decklog/bin/pip" ] || run "$python" -m venv "$root/opt/decklog"
extra=''
[ -z "$store" ] || extra='[postgresql]'
# Twice, since pip leaves a program of the same version as it is, and wheels of two days have one version.
# shellcheck disable=SC2086  # PIP_OPTIONS are words
run "$root/opt/decklog/bin/python" -m pip install ${PIP_OPTIONS:-} "$wheel$extra"
# shellcheck disable=SC2086
run "$root/opt/decklog/bin/python" -m pip install ${PIP_OPTIONS:-} --no-deps --force-reinstall "$wheel"
put 0755 "$here/archive-wal.sh" "$root/opt/decklog/share/archive-wal.sh"
od -An -v -tx1 -N 32 /dev/urandom | tr -d ' \n' | secret key

if [ -n "$store" ]; then
    secret store <"$store"
    unit decklog@.service
    first='decklog@8001 decklog@8002'
else
    for name in decklog.service decklog-backup.service decklog-backup.timer decklog-drill.service \
        decklog-drill.timer decklog-shadow.service; do
        unit "$name"
    done
    first='decklog decklog-backup.timer decklog-drill.timer'
fi
echo
echo "Copy $root/etc/decklog/key to another place than the backups. Settings go into $root/etc/decklog/decklog.env. Then:"
echo "  systemctl daemon-reload"
echo "  systemctl enable --now $first"
if ! command -v bwrap >/dev/null 2>&1; then
    echo "There is no bwrap here: without the package bubblewrap, rules that came in a file are refused (decklog config check)."
fi
