"""What is planted is found: so a world in which nothing is found says something."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import chain, count, islice

import pytest

from tests.architecture.tree import ROOT
from tests.simulation.bugs import BUGS
from tests.simulation.run import Found, Wish, apart, world_of
from tests.simulation.shrink import kind, size, small

FIRST = 1000
"""The first seed of the search."""

MOST = 20_000
"""Commands within which each has to be found."""

QUICK = ("any_version", "key_shared", "no_key", "open_secret")
"""Found with the first commands, in every run of the tests; the others in their tier."""


LEVEL = {"own_quota": "app", "fork_early": "app"}
"""Of what is at one level alone."""


SHOWN = ROOT / "tests" / "simulation" / "shown.json"
"""By ruleset and bug the seed of a world that showed it, which is tried first; where it does so no
more, the search begins at the beginning. ``python -m tests.simulation.test_bugs`` writes it."""


def shown() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads(SHOWN.read_text("utf-8"))
    return found


def seeds(bug: str, ruleset: str) -> Iterator[int]:
    """The one that is known, then those of the search."""
    known = shown().get(ruleset, {}).get(bug, FIRST)
    return chain((known,), (each for each in count(FIRST) if each != known))


def found_in(bug: str, ruleset: str, size: int = 200) -> Found:
    """The first world that notices; or none within the most commands."""
    done, changes = 0, SHAPED.get((bug, ruleset), ())
    for seed in seeds(bug, ruleset):
        level = LEVEL.get(bug, "desk")
        wish = Wish(seed, level, ruleset, commands=size, changes=changes, bug=bug)
        found = apart(partial(world_of, wish))
        if found.faults:
            return found
        done += found.commands
        if done >= MOST:
            break
    raise AssertionError(f"{bug} is not found in {done} commands")


@pytest.mark.parametrize("bug", QUICK)
def test_a_quick_one_is_found(bug: str) -> None:
    assert found_in(bug, "pennant").faults


IN_REAL_GAMES = (
    "no_key", "no_key_in_group", "double_apply", "not_overtaken", "key_shared", "any_version",
    "told_early", "half_commit", "swapped", "stale_cache", "never_looks", "stale_summary", "gap",
    "leak", "open_secret", "sized_secret", "deaf", "unsettled",
    "unsynced", "half_applied",
)  # fmt: skip
"""What was looked for in each of the real games too; the others only in Pennant so far."""
REAL = ("war-at-sea", "naval-battles", "crimson-tide")


@pytest.mark.slow("simulation")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("bug", BUGS)
def test_every_one_is_found(bug: str) -> None:
    assert found_in(bug, "pennant").faults


SHAPED: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {
    ("stale_cache", "naval-battles"): (("brief", 5),),
}
"""How worlds have to be in which it is seen soon enough. What is remembered of a commit that failed
is nearly always ahead of the store, and then forgotten (``Engine.live``); where it is as long as
what somebody else has stored, a commit on it fails by its head and is decided anew. So only a
refusal can be wrong, and that needs two who are asked together: in Naval Battles when fleets are
committed, once a game. So games are left after a few rounds for new ones."""


@pytest.mark.slow("simulation")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("bug", "ruleset"),
    [(bug, ruleset) for bug in IN_REAL_GAMES for ruleset in REAL],
)
def test_they_are_found_in_real_games(bug: str, ruleset: str) -> None:
    assert found_in(bug, ruleset).faults


def test_what_is_known_to_show_a_bug_is_tried_first_and_the_rest_after_it() -> None:
    for ruleset, known in shown().items():
        assert known.keys() <= BUGS.keys()
        for bug, seed in known.items():
            first, second = islice(seeds(bug, ruleset), 2)
            assert (first, second) == (seed, FIRST if seed != FIRST else FIRST + 1)
    assert next(seeds("no such bug", "pennant")) == FIRST


def test_there_are_twenty() -> None:
    assert len(BUGS) >= 20
    assert set(QUICK) <= set(BUGS)


@pytest.mark.slow("simulation")
def test_a_world_that_fails_is_made_small() -> None:
    wishes = (Wish(FIRST + n, commands=120, bug="no_key") for n in range(20))
    tried = ((wish, apart(partial(world_of, wish))) for wish in wishes)
    wish, found = next((wish, found) for wish, found in tried if len(found.harms) > 20)
    made = small(wish, found, lambda each: apart(partial(world_of, each)), most=12)
    assert kind(made.found) == kind(found)
    assert len(made.found.harms) < len(found.harms)
    assert size(made.found) < size(found)
    again = apart(partial(world_of, made.wish))
    assert (again.faults, again.digest) == (made.found.faults, made.found.digest)


def main() -> int:
    """Find each again, and keep the seed that showed it where it is not the first of the search."""
    pairs = [(ruleset, bug) for ruleset in REAL for bug in IN_REAL_GAMES]
    kept: dict[str, dict[str, int]] = {}
    for ruleset, bug in [*(("pennant", bug) for bug in BUGS), *pairs]:
        if (seed := found_in(bug, ruleset).seed) != FIRST:
            kept.setdefault(ruleset, {})[bug] = seed
        SHOWN.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
