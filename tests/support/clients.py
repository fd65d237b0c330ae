"""The generated clients of ``openapi/clients``: built once for all tests, whoever comes first.

``make clients`` (``python -m tests.support.clients``) builds them: packages from the lock file,
code from the document, programs from both. Nothing is done that was done before for the same files.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support import generator
from tests.support import programs as wheels
from tests.support.programs import NODE, NPM
from tests.support.server import ROOT

CLIENTS = ROOT / "openapi" / "clients"
DOCUMENT = ROOT / "openapi" / "openapi.json"
RULESETS = ROOT / "openapi" / "rulesets"
"""The documents of one ruleset each. Java's client is made of these: of all events together one of
its methods is longer than Java allows."""
SECONDS = 600
OFFLINE = {"npm_config_audit": "false", "npm_config_fund": "false", "CI": "true"}

PACKAGES = ("package.json", "package-lock.json")
SOURCES = (
    "openapi-ts.config.js",
    "tsconfig.json",
    "typescript/play.ts",
    "hey/play.ts",
    "fetch/play.ts",
)
PYTHON = ("python/config.yaml",)
PLAYS_JAVA = "java/Play.java"
PLAYS_GO = "go/play.go"
MADE = CLIENTS / "generated"
EXTENSION = {"importFileExtension": ".js"}
"""What openapi-generator has to know where programs are modules of Node."""


def programs(ruleset: str) -> dict[str, list[str]]:
    """The command that plays a game, by client; the address, ruleset and options follow it."""
    classes = MADE / "java" / ruleset / "classes"
    java = {"java": ["java", "-cp", f"{generator.jar()}:{classes}", "Play"]}
    return {
        "typescript": [NODE, str(CLIENTS / "build/typescript/play.js")],
        "hey": [NODE, str(CLIENTS / "build/hey/play.js")],
        "fetch": [NODE, str(CLIENTS / "build/fetch/play.js")],
        "python": [sys.executable, str(CLIENTS / "python/play.py")],
        "generator": [sys.executable, str(CLIENTS / "generator/play.py")],
        **(java if generator.javac() else {}),
        **({"go": [str(MADE / "go" / "play")]} if generator.go() else {}),
    }


def environment() -> dict[str, str]:
    """The environment of those commands: the generated Python packages can be imported."""
    return wheels.environment() | {"PYTHONPATH": os.pathsep.join((str(MADE), str(MADE / "python")))}


def tool(name: str) -> str:
    """The path of a program of the Node packages."""
    return str(CLIENTS / "node_modules" / ".bin" / name)


def install() -> None:
    """Install the Node packages as the lock file has them."""
    with _once("node_modules", PACKAGES) as needed:
        if needed:
            wheels.install(CLIENTS)


def build() -> None:
    """Generate and compile every client; those of Java and Go where there is a compiler."""
    install()
    _by_openapi_generator()
    with _once("build", (*PACKAGES, *SOURCES), DOCUMENT) as needed:
        if needed:
            for script in ("typescript", "hey", "compile"):
                _run([*NPM, "run", script])
    with _once("generated", PYTHON, DOCUMENT) as needed:
        if needed:
            program = str(Path(sys.executable).with_name("openapi-python-client"))
            target = CLIENTS / "generated" / "decklog_generated"
            command = [program, "generate", "--path", str(DOCUMENT), "--output-path", str(target)]
            _run([*command, "--meta", "none", "--overwrite", "--config", PYTHON[0]])


def _by_openapi_generator() -> None:
    with _once("generated/fetch", (), DOCUMENT) as needed:
        if needed:
            generator.generate("typescript-fetch", DOCUMENT, MADE / "fetch", EXTENSION)
    with _once("generated/python", (), DOCUMENT) as needed:
        if needed:
            generator.generate("python", DOCUMENT, MADE / "python", {})
    if generator.javac():
        for document in sorted(RULESETS.glob("*.json")):
            made = Made("java", f"java/{document.stem}", document, PLAYS_JAVA)
            _compiled(made, generator.JAVA_OPTIONS, generator.compile_java)
    if generator.go():
        made = Made("go", "go", DOCUMENT, PLAYS_GO)
        _compiled(made, generator.GO_OPTIONS, generator.compile_go)


class Made(NamedTuple):
    """A client in a language that has a compiler, and the program that plays by it."""

    language: str
    folder: str
    document: Path
    plays: str


def _compiled(
    made: Made, options: Mapping[str, str], compiles: Callable[[Path, Path], Path]
) -> None:
    with _once(f"generated/{made.folder}", (made.plays,), made.document) as needed:
        if needed:
            folder = MADE / made.folder
            generator.generate(made.language, made.document, folder, options)
            compiles(folder, CLIENTS / made.plays)


@contextmanager
def _once(folder: str, names: tuple[str, ...], *more: Path) -> Iterator[bool]:
    """Whether what is in ``folder`` has to be made; one process at a time; remembered."""
    stamp = CLIENTS / folder / f".made-from-{hashlib.sha256(repr(names).encode()).hexdigest()[:8]}"
    paths = [*(CLIENTS / name for name in names), *more]
    wanted = hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()
    with (CLIENTS / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        needed = not stamp.is_file() or stamp.read_text("utf-8") != wanted
        yield needed
        if needed:
            stamp.parent.mkdir(parents=True, exist_ok=True)
            stamp.write_text(wanted, "utf-8")


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, cwd=CLIENTS, env=wheels.environment() | OFFLINE, capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--tools"]:
        install()
    else:
        build()
