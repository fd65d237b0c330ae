"""``decklog engine``: archives of what decides, whose SHA-256 is the digest of the rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .console import emit, say
from .mistakes import Mistake
from .tools import AnyGame, Tools, json_option

if TYPE_CHECKING:
    from service.engines.build import Ruleset

T = TypeVar("T")

OTHER = 1

FINE = "it comes out as it says"
HINT = "decklog engine build GAME writes one."

ABOUT, SHOWN = "engine.json", "shown.json"
"""Where an archive of rules, and one of what shows them, says what it is."""


@click.group("engine", short_help="Name, build and check engines, the archives of rules.")
def command() -> None:
    """Name, build and check engines: the rules that a game's dice are bound to, as one file.

    Needs no running service; with --json each answers for programs. The same rules give the same
    bytes on every machine: the SHA-256 of an archive is the digest of the rules in games and
    evidence.
    """


@command.command("list")
@click.option("--all", "all_", is_flag=True, help="Those of the past that this build carries, too.")
@click.option("--shown", "showing", is_flag=True, help="What shows the games, for each engine.")
@json_option
@click.pass_obj
def list_(tools: Tools, all_: bool, showing: bool, as_json: bool) -> int:
    """Name the archive of each installed ruleset: its digest, its bytes, its version.

    With --shown also the archive of what shows it, which is laid over it; no verdict hangs on that.
    """
    from service.engines import carry
    from service.engines.installed import named

    found = []
    for game in tools.games.values():
        names = {"ruleset": game.ruleset, "version": game.version}
        found.append({**names, **_of(game, named)._asdict()})
        if showing:
            data = _shown_by(game)
            digest = sha256(data).hexdigest()
            shows = {"digest": digest, "size": len(data), "for": found[-1]["digest"]}
            found.append({**names, **shows})
    for old in carry.table() if all_ else ():
        names = {"ruleset": old.ruleset, "version": old.version, "digest": old.digest}
        found.append({**names, "size": len(carry.archive(old)), "commit": old.commit})
    if as_json:
        emit(found)
        return 0
    for each in found:
        at = f" at {each['commit']}" if "commit" in each else ""
        at += f", shown over {each['for'][:16]}" if "for" in each else ""
        say(f"{each['digest']}  {each['size']:>7}  {each['ruleset']} {each['version']}{at}")
    return 0


@command.command("build")
@click.argument("game", metavar="GAME")
@click.option("-o", "--output", default="", metavar="FILE", help="Instead of GAME.engine.")
@click.option("--at", default="", metavar="COMMIT", help="The rules of a commit of this checkout.")
@click.option("--shown", "showing", is_flag=True, help="What shows the game, in its place.")
@click.option("--over", default="", metavar="ENGINE", help="With --shown: for this older engine.")
@json_option
@click.pass_obj
def build(
    tools: Tools, game: str, output: str, at: str, showing: bool, over: str, as_json: bool
) -> int:
    """Write the archive of an installed GAME to a file; print digest, bytes and file.

    Of a commit before rules and what shows them were apart, the files are packed as they were. With
    --shown it is the archive of what shows the game, to be laid over its engine, or over the ENGINE
    that a file has.
    """
    from service.engines.installed import built

    if over and not showing:
        raise Mistake("--over goes with --shown.", "Leave it out, or give both.", "usage")
    if showing:
        data = _shown_by(tools.game(game), _opened(over)[0] if over else b"", at)
    else:
        data = _of(tools.game(game), partial(_of_commit, at) if at else built)
    path = Path(output or f"{game}.{'shown' if showing else 'engine'}")
    try:
        path.write_bytes(data)
    except OSError as error:
        hint = "Name another file with --output."
        raise Mistake(f"{path} cannot be written: {error.strerror}.", hint, "file") from None
    digest = sha256(data).hexdigest()
    if as_json:
        emit({"digest": digest, "size": len(data), "file": str(path)})
    else:
        say(f"{digest}  {len(data):>7}  {path}")
    return 0


@command.command("show")
@click.argument("file", metavar="FILE")
@json_option
def show(file: str, as_json: bool) -> int:
    """Show what an archive FILE says of itself, and the files in it with their sizes."""
    data, files, about = _opened(file, ABOUT, SHOWN)
    sizes = {name: len(content) for name, content in files.items()}
    digest = sha256(data).hexdigest()
    if as_json:
        emit({"digest": digest, "about": about, "files": sizes})
        return 0
    say(f"{digest}  {len(data):>7}  {file}")
    for key, value in about.items():
        say(f"  {key}: {value}")
    for name, size in sizes.items():
        say(f"{size:>8}  {name}")
    return 0


@command.command("check")
@click.argument("file", metavar="FILE")
@json_option
@click.pass_obj
def check(tools: Tools, file: str, as_json: bool) -> int:
    """Check whether an archive FILE is that of the rules that are installed here.

    The installed rules also play its sample. The rules in the file are read, and run only where
    they are of the past and on this judge's list: then in a process apart. A FILE of what shows a
    game is laid over the installed engine and shows its sample, where it is what is built here.

    \b
    The exit code:
      0  it is the archive of the installed rules, or on the list, and its sample comes out
      1  it is another, or its sample does not come out
      2  used wrongly, or not an archive
    """
    from service.engines.installed import named

    data, files, about = _opened(file, ABOUT, SHOWN)
    if SHOWN in files:
        return _check_shown(tools.game(str(about.get("ruleset", ""))), data, as_json)
    if _is_carried(data):
        return _check_carried(data, as_json)
    game = tools.game(str(about.get("ruleset", "")))
    digest, installed = sha256(data).hexdigest(), _of(game, named).digest
    sample = _tried(game, files.get("sample.jsonl"))
    good = digest == installed and sample in ("", FINE)
    if as_json:
        emit({"digest": digest, "installed": installed, "sample": sample, "good": good})
    else:
        same = "the installed rules" if digest == installed else f"not the installed {installed}"
        say(f"{digest}: {same}")
        say(f"sample: {sample or 'there is none'}")
    return 0 if good else OTHER


def _shown_by(game: AnyGame, engine: bytes = b"", commit: str = "") -> bytes:
    """What shows a game, over an archive, else over its own; as it is, or was. Raises Mistake."""
    from service.engines import installed, shown

    def built(ruleset: Ruleset) -> bytes:
        if commit:
            over = engine or _of_commit(commit, ruleset)
            return shown.build(_tree(commit, ruleset), ruleset, over)
        over = engine or installed.archive(ruleset)
        return shown.build(installed.sources(ruleset.home), ruleset, over)

    return _of(game, built)


def _check_shown(game: AnyGame, data: bytes, as_json: bool) -> int:
    from service.engines import installed, shown
    from service.engines.load import Unloadable, load

    digest, here = sha256(data).hexdigest(), _shown_by(game)
    told = "it is not run"
    if data == here:
        try:
            loaded = load(_of(game, installed.archive))
            shown.try_sample(loaded, shown.lay(loaded, data))
            told = FINE
        except Unloadable as error:
            told = str(error)
    good = told == FINE
    if as_json:
        emit(
            {"digest": digest, "installed": sha256(here).hexdigest(), "sample": told, "good": good}
        )
    else:
        same = "what shows the installed rules" if data == here else "not what is built here"
        say(f"{digest}: {same}")
        say(f"sample: {told}")
    return 0 if good else OTHER


def _of_commit(commit: str, ruleset: Ruleset) -> bytes:
    """The archive of a game at a commit. Raises Mistake, Unbuildable."""
    from service.engines.history import NoHistory
    from service.engines.load import Unloadable
    from service.engines.past import engine_at

    try:
        return engine_at(Path(), commit, ruleset)
    except (NoHistory, Unloadable) as error:
        raise _none_at(commit, error) from None


def _tree(commit: str, ruleset: Ruleset) -> dict[str, bytes]:
    """The files of a game and of the kernel at a commit. Raises Mistake."""
    from service.engines.history import NoHistory, tree_at

    try:
        return tree_at(Path(), commit, ["domain/kernel", ruleset.home.replace(".", "/")])
    except NoHistory as error:
        raise _none_at(commit, error) from None


def _none_at(commit: str, error: Exception) -> Mistake:
    hint = "Run it in a checkout with its history."
    return Mistake(f"No rules at {commit}: {error}.", hint, "engine")


def _is_carried(data: bytes) -> bool:
    from service.evidence.shelf import vouched

    return vouched(sha256(data).hexdigest(), ())


def _check_carried(data: bytes, as_json: bool) -> int:
    from service.engines import wall
    from service.engines.outside import Failed, Outside

    digest, told = sha256(data).hexdigest(), "it is loaded, and runs"
    try:
        Outside(wall.walled() or wall.plain(), data).end()
    except Failed as error:
        told = str(error)
    good = told == "it is loaded, and runs"
    if as_json:
        emit({"digest": digest, "installed": "", "sample": told, "good": good})
    else:
        say(f"{digest}: on the list of this judge")
        say(f"sample: {told}")
    return 0 if good else OTHER


def _of(game: AnyGame, asked: Callable[[Ruleset], T]) -> T:
    """What is asked of an installed game's archive. Raises Mistake where there is none."""
    from service.engines.closure import Unbuildable
    from service.evidence.digest import ruleset_of

    try:
        return asked(ruleset_of(game))
    except Unbuildable as error:
        message = f"{game.ruleset} has no archive: {error}."
        raise Mistake(message, "service/engines/README.md has what it takes.", "engine") from None


def _tried(game: AnyGame, given: bytes | None) -> str:
    """How a sample goes by the installed rules; "" where there is none."""
    from domain.kernel.rules import Refused
    from service.engines import sample

    if given is None:
        return ""
    try:
        sample.check(game, sample.kernel(), given)
    except sample.Differs as error:
        return str(error)
    except Refused as refused:
        return f"an order in it is refused: {refused.hint}"
    except (AttributeError, KeyError, TypeError, ValueError):
        return "it cannot be played"
    return FINE


def _opened(file: str, *abouts: str) -> tuple[bytes, dict[str, bytes], dict[str, Any]]:
    """An archive, its files, and what it says of itself. Raises Mistake for what is none.

    abouts  the names under which it may say that: those of an engine alone, unless more are given
    """
    from service import container

    from .files import read_bytes

    data = read_bytes(file)
    try:
        files = container.unpack(data, container.ENGINE)
        about = next(name for name in abouts or (ABOUT,) if name in files)
        return data, files, dict(json.loads(files[about]))
    except StopIteration:
        raise Mistake(f"{file} is no archive of rules.", HINT, "engine") from None
    except (container.BadContainer, KeyError, TypeError, ValueError) as error:
        raise Mistake(f"{file} is no archive of rules: {error}.", HINT, "engine") from None
