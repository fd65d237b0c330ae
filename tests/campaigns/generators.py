"""openapi-generator makes clients in six languages, and those that can be compiled are.

    python -m tests.campaigns.generators [TARGET ...]

generates each target (all six where none is named) from the document into ``build/generators``
without an error, and compiles it where the tool chain and all that it needs are on the machine,
without the network: TypeScript with the compiler of openapi/clients, Python by importing its
modules, Java with javac and the libraries that the generator itself carries. C#, Go and Rust need
packages of their own: they are generated, and the report says that they were not compiled.
"""

from __future__ import annotations

import argparse
import compileall
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tests.support import clients
from tests.support.programs import JAVA, environment
from tests.support.server import ROOT

BUILD = ROOT / "build" / "generators"
SECONDS = 900
COMPLAINT = re.compile(r"\[[^]]*\] ERROR |Exception in thread|\tat ")
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
    _run([clients.tool("tsc"), *options, str(folder / "index.ts")], folder)
    return "tsc --strict"


def _python(folder: Path) -> str:
    if not compileall.compile_dir(folder / "openapi_client", quiet=1):
        raise RuntimeError("a module of the Python client does not compile")
    _run([sys.executable, "-c", "import openapi_client.models, openapi_client.api"], folder)
    return "every module compiled, models and apis imported"


GENERATED = """package javax.annotation;

/** Stands in for the marker of JSR 250, the one thing that the generator's jar does not carry. */
public @interface Generated {
  String value();

  String comments() default "";
}
"""


def _java(folder: Path) -> str:
    if not shutil.which("javac"):
        return "not compiled: no JDK here"
    marker = folder / "src" / "main" / "java" / "javax" / "annotation" / "Generated.java"
    marker.parent.mkdir(parents=True)
    marker.write_text(GENERATED, "utf-8")
    sources = [str(path) for path in sorted((folder / "src" / "main" / "java").rglob("*.java"))]
    (folder / "sources.txt").write_text("\n".join(sources), "utf-8")
    classes = str(folder / "classes")
    _run(
        ["javac", "-nowarn", "-proc:none", "-cp", str(jar()), "-d", classes, "@sources.txt"], folder
    )
    return "javac, with a stand-in for one marker annotation"


TARGETS = {
    "typescript": Target("typescript-fetch", {}, "*.ts", _typescript),
    "python": Target("python", {}, "*.py", _python),
    "java": Target(
        "java",
        {"library": "native", "openApiNullable": "false", "hideGenerationTimestamp": "true"},
        "*.java",
        _java,
    ),
    "csharp": Target("csharp", {}, "*.cs"),
    "rust": Target("rust", {}, "*.rs"),
    "go": Target("go", {}, "*.go"),
}


def jar() -> Path:
    """The generator's jar, which the wheel carries."""
    spec = find_spec("openapi_generator_cli")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.jar"))


def generate(name: str, folder: Path) -> list[Path]:
    """Generate one target; its source files. Raises RuntimeError when the generator complains."""
    target = TARGETS[name]
    config = folder / "config.json"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config.write_text(json.dumps(target.options), "utf-8")
    only = (
        "apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"
    )
    generator = [JAVA, "-XX:TieredStopAtLevel=1", "-jar", str(jar()), "generate"]
    wish = ["-g", target.generator, "-i", str(clients.DOCUMENT), "-o", str(folder)]
    said = _run([*generator, *wish, "-c", str(config), "--global-property", only], folder)
    if wrong := [line for line in said.splitlines() if COMPLAINT.match(line)]:
        raise RuntimeError("\n".join(wrong))
    return sorted(folder.rglob(target.suffix))


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
    return f"{name}: {len(files)} files, {compiled}, {time.monotonic() - began:.0f} s"


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command[:3]}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout + done.stderr


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
