"""What an audit of a log came to: as a value, as text, and as one page without a script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple

import msgspec

from projections.luck import Trial

from ..evidence.keylist import KeyList
from ..evidence.signing import VerifyKey
from ..evidence.verdict import printed
from .audit import ENDINGS, Complete, Counted, Told, promised_more
from .keywatch import of_log
from .monitor import Finding

DAY = 86_400


class Value(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of what an audit tells."""


class KeysTold(Value, frozen=True):
    """The service's list of keys, as its root key has signed it.

    at, days  when that was, and how many days ago
    ended     names of keys that sign no more; ``revoked``: by name, since when others may have
              had the key
    """

    root: str
    serial: int
    at: str
    days: int
    ended: tuple[str, ...]
    revoked: dict[str, str]


class EnginesTold(Value, frozen=True):
    """The list of rules that this judge knows.

    build    number of the program that carries it
    listed   how many engines of the past are on it, besides the rules that are installed
    used     by ruleset, version and digest, how many games name them
    strange  the same of those that are not on the list
    """

    build: str
    listed: int
    used: dict[str, int]
    strange: dict[str, int]


class Found(Value, frozen=True):
    """What is out of order: "alarm", or "unknown" where that cannot be told."""

    kind: str
    text: str


class Fallen(Value, frozen=True):
    """The faces of one kind of die; ``millionths``: how often fair dice look as odd, at most."""

    what: str
    count: int
    faces: tuple[int, ...]
    millionths: int
    verdict: str


class Audit(Value, frozen=True):
    """All of it.

    size, root  of the head that was read, in leaves and hex
    games       in the log; ``events``: of all of them; ``longest``: of the longest
    breaks      in the numbers of a game: none, where all is well
    told        each game that a file tells of; ``files``: how many files were given
    series      by series that a file names: how many games of it the log counts
    player      how many games the log counts of the player whose secret was opened; null: nobody's
    """

    log: str
    size: int
    root: str
    games: int
    events: int
    longest: int
    breaks: int
    files: int
    told: tuple[Told, ...]
    series: dict[str, int]
    player: int | None
    endings: dict[str, int]
    grades: dict[str, int]
    lower: int
    batches: int
    absences: int
    absent_games: int
    epochs: int
    voided: int
    dice: tuple[Fallen, ...]
    keys: KeysTold | None
    engines: EnginesTold
    findings: tuple[Found, ...]

    @property
    def alarm(self) -> bool:
        """Whether something is not as it should be."""
        return any(each.kind == "alarm" for each in self.findings)


def audit_of(
    log: str, counted: Counted, files: int, keys: KeysTold | None, build: tuple[str, int],
    more: Iterable[Finding] = (), complete: Complete = "log", player: bytes = b"",
) -> Audit:  # fmt: skip
    """The figures.

    build  number of this program, and how many engines of the past it carries
    more   what is wrong besides: files that cannot be read, a key that is not listed
    complete  of what the files are to have all games
    player  the secret of one, by which his games are found
    """
    told = tuple(sorted((each.told for each in counted.games), key=lambda each: each.game))
    trials = counted.trials()
    loaded = (_loaded(each) for each in trials if each.verdict != "fair")
    found = (*counted.findings(complete if files else "", player), *more, *loaded)
    endings, grades = (Counter(map(what, told)) for what in (lambda t: t.ending, _grade))
    return Audit(
        log=log, size=counted.size, root=counted.root.hex(), games=counted.leaves.games,
        events=counted.leaves.events, longest=counted.leaves.longest,
        breaks=len(counted.leaves.gaps), files=files, told=told, series=_series(counted),
        player=len(counted.leaves.games_of_player(player)) if player else None,
        endings={each: endings[each] for each in ENDINGS}, grades=dict(sorted(grades.items())),
        lower=sum(map(promised_more, told)), batches=sum(each.batches for each in told),
        absences=sum(sum(each.absences.values()) for each in told),
        absent_games=sum(bool(each.absences) for each in told),
        epochs=sum(each.epochs for each in told), voided=sum(each.voided for each in told),
        dice=tuple(map(_fallen, trials)), keys=keys, engines=_engines(told, *build),
        findings=tuple(Found(kind=each.kind, text=each.text) for each in found),
    )  # fmt: skip


def _series(counted: Counted) -> dict[str, int]:
    named = sorted({each.told.series for each in counted.games} - {""})
    return {series: len(counted.leaves.games_of(series)) for series in named}


def _grade(told: Told) -> str:
    return told.grade or "nothing rolled"


def _fallen(trial: Trial) -> Fallen:
    return Fallen(
        what=trial.what, count=trial.many, faces=trial.cells, millionths=trial.millionths,
        verdict=trial.verdict,
    )  # fmt: skip


def _loaded(trial: Trial) -> Finding:
    said = f"{trial.what}: {trial.verdict}, {trial.millionths} in a million"
    return Finding("alarm" if trial.verdict == "loaded" else "unknown", said)


def _engines(told: Sequence[Told], build: str, listed: int) -> EnginesTold:
    used: Counter[str] = Counter()
    strange: Counter[str] = Counter()
    for each in told:
        name = f"{each.ruleset} {each.version} ({each.rules[:16]})"
        (used if each.vouched else strange)[name] += 1
    return EnginesTold(
        build=build, listed=listed, used=dict(sorted(used.items())),
        strange=dict(sorted(strange.items())),
    )  # fmt: skip


def keys_told(keys: KeyList, log: VerifyKey, now: datetime) -> tuple[KeysTold, list[Finding]]:
    """What is to be said of the list, and what is wrong with the log's key by it."""
    revoked = {
        each.hint: each.compromised for each in keys.keys if isinstance(each.compromised, str)
    }
    at = datetime.fromisoformat(keys.at).replace(tzinfo=UTC)
    told = KeysTold(
        root=keys.root, serial=keys.serial, at=keys.at, days=int((now - at).total_seconds()) // DAY,
        ended=tuple(each.hint for each in keys.keys if each.until), revoked=revoked,
    )  # fmt: skip
    return told, list(of_log(keys, log))


# Words


class Section(NamedTuple):
    """A heading, and lines of two parts below it."""

    title: str
    lines: tuple[tuple[str, str], ...]


FROM_LEAVES = "From the leaves alone"
FROM_FILES = "From the files"


def sections(audit: Audit) -> Iterator[Section]:
    """All that is told, in order."""
    yield Section(f"Audit of {audit.log}", (("head", f"{audit.size} leaves, root {audit.root}"),))
    yield Section(FROM_LEAVES, tuple(_leaves(audit)))
    yield Section(FROM_FILES, tuple(_files(audit)))
    if audit.files:
        yield Section("Dice", tuple(_dice(audit)))
    yield Section("Whom one has to believe", tuple(_trust(audit)))
    none = (("none", "nothing is out of order, as far as this can tell"),)
    found = tuple((each.kind, each.text) for each in audit.findings)
    yield Section("Findings", found or none)


def _leaves(audit: Audit) -> Iterator[tuple[str, str]]:
    yield "games", str(audit.games)
    yield "events", f"{audit.events}, of the longest game {audit.longest}"
    yield "numbers", "without a break" if not audit.breaks else f"{audit.breaks} breaks"
    yield (
        "not told",
        "what no leaf says: whether a game is over, by which rules, of what dice",
    )


def _files(audit: Audit) -> Iterator[tuple[str, str]]:
    if not audit.files:
        yield "files", "none given: FILES of the games tell the rest"
        return
    yield "files", f"{audit.files}, of {len(audit.told)} of the {audit.games} games"
    if audit.player is not None:
        yield "player", f"{audit.player} games by the marks that the secret makes"
    yield from (("series", f"{name}, of {count} games") for name, count in audit.series.items())
    yield "ended", ", ".join(f"{count} {name}" for name, count in audit.endings.items())
    yield "grades", ", ".join(f"{count} of {name}" for name, count in audit.grades.items())
    yield "lower", f"{audit.lower} games of a lower grade than they were made with"
    where = f"in {audit.absent_games} games"
    yield "absences", f"{audit.absences} links of seats in {audit.batches} batches, {where}"
    yield "new starts", f"{audit.epochs} times a store went back; {audit.voided} batches voided"
    yield "not judged", "whether orders were decided by the rules: decklog verify FILE does that"


def _dice(audit: Audit) -> Iterator[tuple[str, str]]:
    for each in audit.dice:
        faces = " ".join(map(str, each.faces)) if len(each.faces) <= 20 else f"{len(each.faces)}"
        odd = f"fair dice look as odd at most {each.millionths} times in a million"
        yield each.what, f"{each.count} thrown, {faces}; {odd}: {each.verdict}"
    if not audit.dice:
        yield "none", "no die is open in these files"


def _trust(audit: Audit) -> Iterator[tuple[str, str]]:
    keys, engines = audit.keys, audit.engines
    if keys is None:
        yield "root", "not told: --root asks for the service's list of keys, in FILES or in --keys"
    else:
        yield "root", keys.root
        yield "keys", f"list {keys.serial} of {keys.at}, {keys.days} days old"
        yield "ended", ", ".join(keys.ended) or "none"
        taken = (f"{name} since {since}" for name, since in keys.revoked.items())
        yield "taken back", ", ".join(taken) or "none, as the root said then"
    known = f"those installed here, and {engines.listed} of the past"
    yield "engines", f"the list of this build, {engines.build}: {known}"
    for what, used in (("rules", engines.used), ("unknown", engines.strange)):
        yield from ((what, f"{name}: {count} games") for name, count in used.items())


def text(audit: Audit) -> str:
    """For people."""
    lines: list[str] = []
    for title, rows in sections(audit):
        lines += ["", title] if lines else [title]
        lines += [f"  {name:<12}{said}" for name, said in rows]
    return printed(lines)


STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "th{text-align:left;vertical-align:top;padding-right:1em;white-space:nowrap;font-weight:400;"
    "color:#555}td{overflow-wrap:anywhere}@media(prefers-color-scheme:dark){body{background:#111;"
    "color:#ddd}th{color:#aaa}}"
)


def page(audit: Audit) -> str:
    """One file that asks nobody for anything."""
    body = "".join(map(_section, sections(audit)))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="content-security-policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width">'
        f"<title>Audit of {escape(audit.log)}</title><style>{STYLE}</style></head>\n"
        f"<body><main>{body}{_games(audit.told)}</main></body></html>\n"
    )


def _section(section: Section) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(printed([said]))}</td></tr>\n'
        for name, said in section.lines
    )
    return f"<h2>{escape(printed([section.title]))}</h2>\n<table>{rows}</table>\n"


COLUMNS = ("game", "rules", "events", "ended", "grade", "batches", "absences", "file")


def _games(told: Sequence[Told]) -> str:
    if not told:
        return ""
    head = "".join(f'<th scope="col">{each}</th>' for each in COLUMNS)
    rows = "".join(f"<tr>{''.join(map(_cell, _row(each)))}</tr>\n" for each in told)
    return f"<h2>Games</h2>\n<table><tr>{head}</tr>\n{rows}</table>\n"


def _row(each: Told) -> tuple[str, ...]:
    absent = ", ".join(f"{seat} {count}" for seat, count in sorted(each.absences.items()))
    rules = f"{each.ruleset} {each.version}"
    numbers = (each.ending, _grade(each), str(each.batches), absent, each.file)
    return (each.game, rules, str(each.events), *numbers)


def _cell(said: str) -> str:
    return f"<td>{escape(printed([said]))}</td>"
