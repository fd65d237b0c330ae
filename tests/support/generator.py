"""openapi-generator, from its wheel: clients of a document, and what compiles Java where it is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
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


def run(command: list[str], folder: Path) -> str:
    """What a program says. Raises RuntimeError when it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command[:3]}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout + done.stderr
