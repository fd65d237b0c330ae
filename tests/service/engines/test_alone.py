"""An archive decides as the installed rules do, with nothing of them in reach.

So whatever is left out of it (comments, texts, sources, packages, all that shows) decides nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from service.engines import sample
from service.engines.build import Ruleset, build
from tests.service.engines.trees import PENNANT, RULES, RULESETS, alone, built, tree
from tests.support import recorded, samples
from tests.support.suites import suites

pytestmark = pytest.mark.slow("engines")


@pytest.mark.parametrize("folder", suites())
def test_all_recorded_games_come_out_alike(folder: str, tmp_path: Path) -> None:
    suite = suites()[folder]
    files = recorded.files(suite)
    here = [[*sample.tried(suite.game, samples.KERNEL, recorded.read(file))] for file in files]
    there = alone(built(RULESETS[suite.game.ruleset]), tmp_path, files)
    assert len(there["games"]) == len(files) > 0
    assert there["games"] == here
    assert there["kernel"] == "engine_alone.domain.kernel.codec"


@pytest.mark.parametrize("name", [b"domain.kernel", b"decklog.domain.kernel"])
def test_a_game_outside_of_the_tree_is_packed_with_its_own_kernel(
    name: bytes, tmp_path: Path
) -> None:
    """It imports the kernel by its full name, which in the archive is the archive's."""
    home = PENNANT.home.replace(".", "/")
    files = {
        path.replace(home, "flags"): content.replace(b"from domain.kernel", b"from " + name)
        for path, content in tree(PENNANT).items()
    }
    assert b"from " + name + b".engine" in files["flags/rules/engine.py"]
    game = tmp_path / "sample.jsonl"
    game.write_bytes(tree(PENNANT)[f"{RULES}sample.jsonl"])
    there = alone(build(files, Ruleset("pennant", "1.0.0", "flags")), tmp_path, [game])
    assert there["games"] == [sample.read(game.read_bytes())]
    packed = (tmp_path / "engine_alone/flags/rules/engine.py").read_text()
    assert "from...domain.kernel.engine" in packed
