"""@decklog/client, built as a package and installed from it, plays whole games on a bad line."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.sdk.bad_line import played
from tests.clients.sdk.signed_games import judged
from tests.support import clients, programs
from tests.support.programs import NODE, NPM
from tests.support.server import ROOT
from tests.support.stranger import SHORT

SCRIPT = ROOT / "openapi" / "clients" / "typescript"
PLAYING = Path(__file__).with_name("playing.mjs")
SIGNING = Path(__file__).with_name("signing.mjs")
TYPED = """
import { Client, Problem } from "@decklog/client";
import type { GameSummary, View } from "@decklog/client/types.js";

const api = new Client("http://127.0.0.1:1");
const game: GameSummary = await api.game("x");
for await (const view of api.watch(game.id)) {
  const seen: View = view;
  if (seen.ruleset === "war-at-sea") console.log(seen.version);
}
// @ts-expect-error a summary has no such field
console.log(game.nothing, Problem);
"""
STRICT = {
    "compilerOptions": {
        "strict": True, "noEmit": True, "target": "es2022", "module": "nodenext",
        "lib": ["es2023", "dom", "dom.asynciterable"], "types": [],
    },
    "include": ["typed.ts"],
}  # fmt: skip


def done(*command: str, folder: Path) -> None:
    ended = subprocess.run(
        command, cwd=folder, env=programs.environment() | clients.OFFLINE,
        capture_output=True, text=True, timeout=150, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the built package is installed."""
    clients.install()
    folder: Path = tmp_path_factory.mktemp("script")
    source, into = folder / "openapi" / "clients" / "typescript", folder / "installed"
    left = shutil.ignore_patterns("types", "types.d.ts", "*.tgz")
    shutil.copytree(SCRIPT, source, ignore=left)
    shutil.copy(ROOT / "openapi" / "openapi.json", folder / "openapi")
    into.mkdir()
    done(NODE, "typed.js", folder=source)
    done(clients.tool("tsc"), "-p", "declared.json", folder=source)
    done(*NPM, "pack", "--ignore-scripts", "--pack-destination", str(into), folder=source)
    (package,) = into.glob("decklog-client-*.tgz")
    (into / "package.json").write_text('{"private": true, "type": "module"}', "utf-8")
    offline = ("--offline", "--ignore-scripts", "--no-package-lock")
    done(*NPM, "install", *offline, str(package), folder=into)
    return into


@pytest.mark.slow("clients")
def test_the_package_has_its_declarations_and_no_more_than_it_needs(installed: Path) -> None:
    package = installed / "node_modules" / "@decklog" / "client"
    assert {each.name for each in package.iterdir()} == {
        "package.json", "README.md", "src", "types"
    }  # fmt: skip
    made = {each.name.removesuffix(".js") for each in (package / "src").glob("*.js")}
    declared = {each.name.removesuffix(".d.ts") for each in (package / "types").glob("*.d.ts")}
    assert declared == made | {"types"}
    (installed / "typed.ts").write_text(TYPED, "utf-8")
    (installed / "tsconfig.json").write_text(json.dumps(STRICT), "utf-8")
    done(clients.tool("tsc"), "-p", ".", folder=installed)


@pytest.mark.slow("clients")
@pytest.mark.timeout(400)
@pytest.mark.parametrize("ruleset", SHORT)
def test_a_whole_game_is_played_on_a_bad_line(
    installed: Path, tmp_path: Path, ruleset: str
) -> None:
    shutil.copy(PLAYING, installed)
    command = [NODE, str(installed / PLAYING.name)]
    played(command, ruleset, programs.environment(), tmp_path)


@pytest.mark.slow("clients")
@pytest.mark.timeout(400)
def test_the_orders_of_a_whole_game_are_signed_by_their_seats(
    installed: Path, tmp_path: Path
) -> None:
    shutil.copy(SIGNING, installed)
    judged([NODE, str(installed / SIGNING.name)], programs.environment(), tmp_path)
