"""An archive runs beside the installed rules, out of memory, on nothing but itself."""

from __future__ import annotations

import hashlib
import sys

import pytest

from domain.kernel.finder import games
from service import container
from service.engines import load
from service.engines.build import ABOUT, SAMPLE, build
from service.engines.load import Unloadable
from tests.service.engines.trees import PENNANT, RULES, RULESETS, built, replaced
from tests.support import pennant

pytestmark = pytest.mark.slow("engines")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_runs_as_its_own_package_and_reproduces_its_sample(ruleset: str) -> None:
    archive = built(RULESETS[ruleset])
    loaded = load.load(archive, hashlib.sha256(archive).hexdigest())
    assert loaded.try_sample() > 10
    modules = load.modules(loaded)
    assert len(modules) > 20
    assert all(loaded.digest in module.__name__ for module in modules.values())
    assert all(
        str(module.__spec__ and module.__spec__.origin)[:8] == "<engine "
        for module in modules.values()
    )
    game = {**games(), "pennant": pennant.GAME}[ruleset]
    assert loaded.engine.state is not game.state
    assert loaded.engine.decide is not game.decide
    assert loaded.kernel("rules").Refused is not sys.modules["domain.kernel.rules"].Refused


def test_it_is_loaded_once_and_only_by_its_digest() -> None:
    archive = built(PENNANT)
    assert load.load(archive) is load.load(archive)
    with pytest.raises(Unloadable, match="has the digest"):
        load.load(archive, "0" * 64)


def test_ten_engines_live_side_by_side() -> None:
    engines = []
    for number in range(10):
        other = replaced(PENNANT, f"{RULES}engine.py", '"1.0.0"', f'"1.0.{number + 1}"')
        engines.append(load.load(build(other, PENNANT._replace(version=f"1.0.{number + 1}"))))
    assert len({each.digest for each in engines}) == 10
    assert [each.engine.version for each in engines] == [f"1.0.{n + 1}" for n in range(10)]
    assert len({each.engine.state for each in engines}) == 10


def forged(**changes: bytes | None) -> bytes:
    """Pennant's archive with other files."""
    files = container.unpack(built(PENNANT), container.ENGINE)
    for name, content in changes.items():
        if content is None:
            del files[name]
        else:
            files[name] = content
    return container.pack(files)


@pytest.mark.parametrize(
    "line",
    ["import os", "from os import path", "from domain.kernel import rules", "import service"],
)
def test_what_is_not_in_it_and_not_pure_is_not_imported(line: str) -> None:
    engine = container.unpack(built(PENNANT), container.ENGINE)[f"{RULES}engine.py"]
    bad = forged(**{f"{RULES}engine.py": engine + f"\n{line}\n".encode()})
    with pytest.raises(Unloadable, match=r"imports .*, which is not in it"):
        load.load(bad)
    assert not any(hashlib.sha256(bad).hexdigest() in name for name in sys.modules)


def test_a_sample_that_does_not_come_out_is_told() -> None:
    sample = container.unpack(built(PENNANT), container.ENGINE)[SAMPLE]
    other = load.load(forged(**{SAMPLE: sample.replace(b'"faces":[[', b'"faces":[[1,', 1)}))
    with pytest.raises(Unloadable, match="sample"):
        other.try_sample()
    with pytest.raises(Unloadable, match="no sample"):
        load.load(forged(**{SAMPLE: None})).try_sample()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"interface":1', b'"interface":2', "its interface is 2"),
        (b'engine:ENGINE"', b'engine"', "does not say where"),
        (b"engine:ENGINE", b"engine:NOTHING", "cannot be loaded"),
        (b'"root"', b'"rood"', "no archive"),
    ],
)
def test_one_that_is_made_otherwise_is_refused(old: bytes, new: bytes, why: str) -> None:
    about = container.unpack(built(PENNANT), container.ENGINE)[ABOUT]
    assert old in about
    with pytest.raises(Unloadable, match=why):
        load.load(forged(**{ABOUT: about.replace(old, new)}))
