"""What an operator may set, with defaults that suit one machine: what each is for, what is legal.

Values come from options of the command line, else from the environment (``DECKLOG_*``), else from a
TOML file. Secrets may also lie in files: ``DECKLOG_KEY_FILE`` names one that holds the key. What is
legal but unwise is for :mod:`service.ops.safety` to refuse.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints
from urllib.parse import urlsplit

import msgspec

from .dice.vault import CHAIN_LENGTH
from .proxies import Proxies

PREFIX = "DECKLOG_"

SECRETS = ("key", "store", "redis", "log_key")
"""Settings that may be given as the name of a file (``DECKLOG_<NAME>_FILE``) that holds them."""

OTHER_VARIABLES = (
    "COMMIT", "CONFIG", "OPERATOR", "URL", "TOKEN", "TRACE", "WEBHOOK_SECRET", "WITH_TOKEN",
)  # fmt: skip
"""``DECKLOG_*`` variables that are no settings: what was built, the file of settings, and the
command line's own."""

CONFIG = PREFIX + "CONFIG"
"""Names the file of settings where no option does."""

FOR_TESTS = "TEST_"
"""Begins the names of variables that are for tests."""


class About(NamedTuple):
    """What there is to say of a setting.

    help   what it is, a noun first; one sentence or two
    least, most  the range of a number: beyond it one caller could stop the service, or it itself
    live   whether a running service takes a new value when it is told to read its settings again
    """

    help: str
    least: float | None = None
    most: float | None = None
    live: bool = False

    @property
    def range(self) -> str:
        """In words; "" for what has none."""
        return "" if self.least is None else f"{self.least:,} to {self.most:,}"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of one service process. ``about()`` gives what each is for, and its range."""

    database: Annotated[
        Path,
        About(
            "SQLite file; its lock and key files lie beside it",
        ),
    ] = Path("decklog.sqlite")
    store: Annotated[
        str,
        About(
            "Address of a PostgreSQL database (postgresql://...), used instead of the file. "
            "Several workers may share it, and all need the same key",
        ),
    ] = ""
    newest: Annotated[
        str,
        About(
            "File in a second place that keeps the newest event's hash, by which an older backup "
            "is noticed; empty: beside the database file, none beside a PostgreSQL",
        ),
    ] = ""
    backups: Annotated[
        str,
        About(
            "Folder of the backups, of whose newest /metrics tells time, size and verdict; empty: "
            "nobody tells of them",
        ),
    ] = ""
    archive: Annotated[
        str,
        About(
            "Folder, or bucket as `s3://BUCKET/PREFIX`, for the files of finished games, one each, "
            "that left the events' table; all workers need the same one",
        ),
    ] = ""
    archive_days: Annotated[
        int,
        About(
            "Days after its end when a game leaves the events' table for the archive; 0: it "
            "stays, unless an operator archives it",
            0,
            36_500,
        ),
    ] = 0
    log_dir: Annotated[
        str,
        About(
            "Folder of the public log's files, which are served below /log; empty: no log is kept",
        ),
    ] = ""
    log_name: Annotated[
        str,
        About(
            "Name of the public log, for ever; empty: the host of public_url, or of this service, "
            "and /log",
        ),
    ] = ""
    log_key: Annotated[
        str,
        About(
            "Key of 32 bytes in hex by which the public log is signed; empty: a key file beside "
            "the database, made at the first start (mode 0600)",
        ),
    ] = ""
    log_head: Annotated[
        str,
        About(
            "File in a second place that keeps the head of the public log which was signed last, "
            "by which an older backup is noticed; empty: beside the database file",
        ),
    ] = ""
    witnesses: Annotated[
        str,
        About(
            "Policy file that names the witnesses of the public log, with their addresses, and how "
            "many have to cosign; empty: nobody is asked",
        ),
    ] = ""
    tsa: Annotated[
        str,
        About(
            "Address of a time-stamping authority (RFC 3161, http:// or https://), which is asked "
            "once a day for a stamp of the public log's head; empty: nobody is asked",
        ),
    ] = ""
    tsa_root: Annotated[
        str,
        About(
            "File with the authority's root certificate (PEM), by which its stamps are checked "
            "before they are kept",
        ),
    ] = ""
    beacon: Annotated[
        str,
        About(
            "Relay of the public beacon drand quicknet (https://...), or a folder with the same "
            "files, CHAIN/public/ROUND; empty: games of grade A3 are not taken",
        ),
    ] = ""
    escrow: Annotated[
        str,
        About(
            "File of three keepers, NAME KEY a line: each game's master is in escrow with them, in "
            "shares of which two open it; empty: it is not",
        ),
    ] = ""
    key: Annotated[
        str,
        About(
            "Key of 32 bytes in hex that encrypts dice masters and stored answers at rest; empty: "
            "a key file beside the database, made at the first start (mode 0600). Of several, with "
            "spaces between them, the first one seals, and each opens",
            live=True,
        ),
    ] = ""
    keys: Annotated[
        str,
        About(
            "Folder of the keys that sign receipts and evidence, as decklog keys makes it; empty: "
            "nothing is signed",
            live=True,
        ),
    ] = ""
    host: Annotated[str, About("Address to listen on")] = "127.0.0.1"
    worker: Annotated[
        str,
        About(
            "Name of this worker, by which an operator drains it; empty: the machine's name and "
            "the port",
        ),
    ] = ""
    port: Annotated[int, About("Port to listen on; 0 takes a free one", 0, 65_535)] = 8000
    public_url: Annotated[str, About("Address that clients see; empty: http://host:port")] = ""
    chain_length: Annotated[
        int,
        About(
            "Links in each dice chain (NWD-1 N); spent chains are renewed",
            16,
            1 << 24,
        ),
    ] = CHAIN_LENGTH
    cached_games: Annotated[int, About("Games whose state is kept in memory", 1, 1_000_000)] = 1_000
    queue_limit: Annotated[
        int,
        About(
            "Commands that may wait for the engine before the service says 503",
            1,
            65_536,
        ),
    ] = 4_096
    idempotency_hours: Annotated[
        int,
        About(
            "Hours for which an idempotency key is remembered",
            24,
            8_760,
        ),
    ] = 48
    store_busy_seconds: Annotated[
        int,
        About(
            "Seconds after which a question to the store has failed, be it that another program "
            "holds the database or that the server hangs",
            1,
            60,
        ),
    ] = 5
    store_prepared: Annotated[
        bool,
        About(
            "Statements that come again are kept prepared by PostgreSQL, which is quicker; not "
            "with a pooler that knows nothing of them"
        ),
    ] = False
    body_limit: Annotated[int, About("Bytes of a request body", 1_024, 4_194_304)] = 262_144
    json_depth: Annotated[int, About("Levels of a request body", 8, 64)] = 32
    page_limit: Annotated[int, About("Items of a page, at most", 1, 200)] = 200
    work_processes: Annotated[
        int,
        About(
            "Processes for what is expensive: odds, reasons, differences, pictures, luck, "
            "evidence, forks, documents; 0: it is done in line, and nothing bounds it",
            0,
            256,
        ),
    ] = 2
    rules_processes: Annotated[
        int,
        About(
            "Processes in which a worker asks rules that are not of this build, of all such "
            "rulesets together; each takes 28 MB as a rule and 512 MB at most",
            1,
            256,
        ),
    ] = 8
    rate_limit: Annotated[
        int,
        About(
            "Requests a minute for each caller; 0: no limit",
            0,
            1_000_000,
            live=True,
        ),
    ] = 6_000
    fork_days: Annotated[
        int,
        About(
            "Days for which a fork is kept after the last command in it; 0: for ever",
            0,
            36_500,
        ),
    ] = 30
    unplayed_days: Annotated[
        int,
        About(
            "Days after which a game in which nobody has given a command is ended; 0: never",
            0,
            36_500,
        ),
    ] = 90
    document_days: Annotated[
        int,
        About(
            "Days for which a document is kept after it was posted or named by a new game; 0: for "
            "ever",
            0,
            36_500,
        ),
    ] = 90
    creation_limit: Annotated[
        int,
        About(
            "Games, forks, documents and webhooks that each caller makes in an hour; all behind "
            "one address eight times as many; 0, or a rate_limit of 0: no limit",
            0,
            1_000_000,
            live=True,
        ),
    ] = 240
    parallel_limit: Annotated[
        int,
        About(
            "Requests of each token that a worker works on at the same time; 0: no limit. Callers "
            "without a token, who are known by their address: eight times as many",
            0,
            10_000,
            live=True,
        ),
    ] = 8
    connection_limit: Annotated[
        int,
        About(
            "Connections of each address to a worker, unless it is a listed proxy; 0: no limit",
            0,
            1_000_000,
            live=True,
        ),
    ] = 256
    head_seconds: Annotated[
        float,
        About(
            "Seconds within which a connection has to send the whole head of a request",
            0.1,
            300,
        ),
    ] = 10.0
    stream_limit: Annotated[
        int,
        About(
            "Open event streams of each token at a worker, of each address eight times as many",
            1,
            100_000,
            live=True,
        ),
    ] = 4
    stream_ping: Annotated[
        float,
        About(
            "Seconds between comments on an idle event stream",
            0.1,
            60,
        ),
    ] = 15.0
    webhook_seconds: Annotated[
        float,
        About(
            "Seconds that an attempt to deliver a webhook may take; 0: this process delivers none, "
            "and another one has to",
            0,
            60,
        ),
    ] = 10.0
    webhook_private: Annotated[
        bool,
        About(
            "Webhooks may lead to http, to any port, to this machine and to its network: for local "
            "development only",
        ),
    ] = False
    deadline_grace: Annotated[
        int,
        About(
            "Seconds after a start in which no deadline is over: who could answer before?",
            0,
            86_400,
        ),
    ] = 60
    stall_seconds: Annotated[
        int,
        About(
            "Seconds after which a reader that takes nothing of its answer is hung up on",
            1,
            600,
        ),
    ] = 30
    redis: Annotated[
        str,
        About(
            "Address of a Redis (redis://...), for news and quotas that workers share; nothing is "
            "lost when it vanishes",
        ),
    ] = ""
    proxies: Annotated[
        str,
        About(
            "Addresses or networks of the reverse proxies whose X-Forwarded-For is believed, "
            "separated by commas; nobody's unless they are listed",
        ),
    ] = ""
    drain_seconds: Annotated[
        float,
        About(
            "Seconds for which a service that is told to stop goes on refusing new work politely "
            "before it closes its door, so that whoever sends it work notices",
            0,
            300,
        ),
    ] = 0.0
    stop_seconds: Annotated[
        int,
        About(
            "Seconds that a stop waits for requests in flight",
            1,
            300,
        ),
    ] = 10
    log_level: Annotated[
        str,
        About(
            "Name of a logging level: DEBUG, INFO, WARNING, ERROR or CRITICAL",
            live=True,
        ),
    ] = "INFO"
    log: Annotated[
        Literal["text", "json"],
        About(
            "Form of the log: text, lines for people, or json, an object a line",
        ),
    ] = "text"
    traces: Annotated[
        str,
        About(
            "Address of an OTLP/HTTP receiver for OpenTelemetry traces; empty: the standard "
            "OTEL_EXPORTER_OTLP_* variables, else none",
        ),
    ] = ""

    def __post_init__(self) -> None:
        wrong = [
            f"{name} {why}" for name in CHECKED if (why := malformed(name, getattr(self, name)))
        ]
        if wrong:
            raise ValueError("; ".join(wrong))

    @property
    def store_keys(self) -> tuple[str, ...]:
        """The keys that are given, in hex: the first one seals, and each opens."""
        return tuple(self.key.split())

    @property
    def second_place(self) -> Path | None:
        """Where the newest event's hash is kept besides."""
        if self.newest:
            return Path(self.newest)
        return None if self.store else self.database.with_name(self.database.name + ".newest")

    @property
    def log_origin(self) -> str:
        """The name of the public log."""
        return self.log_name or f"{urlsplit(self.public_url).netloc or self.host}/log"

    @property
    def log_second_place(self) -> Path | None:
        """Where the last head of the public log is kept besides."""
        if self.log_head:
            return Path(self.log_head)
        return None if self.store else self.database.with_name(self.database.name + ".log-head")

    @property
    def shared_prefix(self) -> str:
        """What stands before all that the workers of one store keep in Redis."""
        name = self.key or str(self.database.absolute())
        return f"decklog:{hashlib.sha256(name.encode()).hexdigest()[:12]}"


FIELDS: tuple[str, ...] = Settings.__struct_fields__
CHECKED = ("key", "log_key", "store", "redis", "public_url", "tsa", "traces", "proxies")


@cache
def about() -> Mapping[str, About]:
    """What there is to say of each setting, in their order."""
    hints = get_type_hints(Settings, include_extras=True)
    return {name: hints[name].__metadata__[0] for name in FIELDS}


def variable(name: str) -> str:
    """The variable of the environment that gives a setting."""
    return PREFIX + name.upper()


def malformed(name: str, value: Any) -> str:
    """Why a value cannot be read; "" where it can. It is not shown: a password may be in it."""
    if name == "key" and any(len(_hex(each)) != 32 for each in str(value).split()):
        return "must be 32 bytes in hex"
    if name == "log_key" and value and len(_hex(value)) != 32:
        return "must be 32 bytes in hex"
    if name == "store" and value and not value.startswith(("postgresql://", "postgres://")):
        return "must be an address that begins with postgresql://"
    if name == "redis" and value and not value.startswith(("redis://", "rediss://", "unix://")):
        return "must be an address that begins with redis://"
    if name == "tsa" and value and not value.startswith(("http://", "https://")):
        return "must be an address that begins with http:// or https://"
    if name == "tsa" and value and not _can_be_asked(value):
        return "is no address that can be read"
    try:
        if name == "proxies":
            Proxies(value)
        elif name in CHECKED and urlsplit(value) and name != "store":
            _ = urlsplit(value).port  # PostgreSQL's may name several hosts, each with its port
    except ValueError as error:
        return (
            f"is no list of networks: {error}"
            if name == "proxies"
            else "is no address that can be read"
        )
    return ""


def _can_be_asked(address: str) -> bool:
    """Whether the client that will ask there reads it the same, so that it fails now, not then."""
    import httpx  # here: it takes a tenth of the service's start

    try:
        return bool(httpx.URL(address).host)
    except httpx.InvalidURL:
        return False


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


class Gathered(NamedTuple):
    """Settings as they were found, and everything that could not be read.

    settings  with the default in place of what could not
    sources   where each value that is no default came from: "option", "environment", a file
    wrong     a line for each fault, which names the variable or the key of the file; no secret
    """

    settings: Settings
    sources: Mapping[str, str]
    wrong: tuple[str, ...]


class _Found(NamedTuple):
    """A value before it is read: where it came from, and how it is spelt there."""

    value: Any
    source: str
    spelt: str


def gather(
    environ: Mapping[str, str] | None = None, file: Path | None = None, **over: Any
) -> Gathered:
    """All settings and all that is wrong with them. ``over`` wins, then the environment.

    file  of settings, in TOML; that of ``DECKLOG_CONFIG`` where none is given
    """
    source = os.environ if environ is None else environ
    wrong: list[str] = []
    file = file or (Path(source[CONFIG]) if source.get(CONFIG) else None)
    found = _of_file(file, wrong) if file is not None else {}
    told = {name.lower(): source[variable(name)] for name in _known() if variable(name) in source}
    found |= _layer(told, "environment", PREFIX, wrong)
    for name, value in over.items():
        if value is not None:
            found[name] = _Found(value, "option", "--" + name.replace("_", "-"))
    read = dict(_read(found, wrong))
    sources = {name: found[name].source for name in read}
    return Gathered(Settings(**read), sources, tuple(wrong))


def from_environment(environ: Mapping[str, str] | None = None, **over: Any) -> Settings:
    """Settings from ``DECKLOG_DATABASE``, ``DECKLOG_PORT``, ...; ``over`` wins where given.

    Raises ValueError, which names everything that cannot be read.
    """
    gathered = gather(environ, **over)
    if gathered.wrong:
        raise ValueError("; ".join(gathered.wrong))
    return gathered.settings


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """``DECKLOG_*`` variables that mean nothing: a misspelt one must not be overlooked."""
    known = {name.upper() for name in _known()} | set(OTHER_VARIABLES)
    names = (name.removeprefix(PREFIX) for name in environ if name.startswith(PREFIX))
    return [PREFIX + n for n in sorted(names) if n not in known and not n.startswith(FOR_TESTS)]


def _known() -> tuple[str, ...]:
    """Every name that a source may have."""
    return (*FIELDS, *(f"{name}_file" for name in SECRETS))


def _of_file(file: Path, wrong: list[str]) -> dict[str, _Found]:
    """What a file of settings says; what is not known there is wrong."""
    try:
        told = tomllib.loads(file.read_text("utf-8"))
        mode = file.stat().st_mode
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        wrong.append(f"{file} cannot be read: {error}")
        return {}
    wrong.extend(f"{file}: there is no setting {name!r}" for name in told if name not in _known())
    if mode & 0o077 and (shown := [name for name in SECRETS if told.get(name)]):
        wrong.append(f"{file} holds {', '.join(shown)}, and others may read it: chmod 600 {file}")
    known = {name: value for name, value in told.items() if name in _known()}
    return _layer(known, str(file), f"{file}: ", wrong)


def _layer(
    told: Mapping[str, Any], source: str, before: str, wrong: list[str]
) -> dict[str, _Found]:
    """The values of one source, secrets out of the files that it names."""

    def spelt(name: str) -> str:
        return before + (name.upper() if before == PREFIX else name)

    found = {n: _Found(told[n], source, spelt(n)) for n in told if n in FIELDS}
    for name in (name for name in SECRETS if f"{name}_file" in told):
        place = spelt(f"{name}_file")
        if name in found:
            wrong.append(f"{spelt(name)} and {place}: give one")
            continue
        try:
            path = Path(told[f"{name}_file"])
            found[name] = _Found(path.read_text("utf-8").strip(), f"{source}, {path}", place)
        except (OSError, UnicodeDecodeError, TypeError) as error:
            wrong.append(f"{place} cannot be read: {error}")
    return found


def _read(found: Mapping[str, _Found], wrong: list[str]) -> Iterator[tuple[str, Any]]:
    """The values that can be read, as what they are."""
    types = get_type_hints(Settings)
    for name, each in found.items():
        try:
            value = msgspec.convert(each.value, types[name], strict=False, dec_hook=_to_path)
        except (msgspec.ValidationError, TypeError) as error:
            wrong.append(f"{each.spelt}: {error}")
            continue
        if why := malformed(name, value):
            wrong.append(f"{each.spelt} {why}")
        else:
            yield name, value


def _to_path(type_: type, value: Any) -> Any:
    if type_ is Path:
        return Path(value)
    raise TypeError(f"no way to read {type_}")
