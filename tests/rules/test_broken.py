"""Every rule in code is proved: one of its tests notices when its home is broken.

What has a verdict that holds (``tests/rules/broken``) is believed; what changed since, or is new,
is broken here and now, so that no change has to keep verdicts. ``make slow`` (``python -m
tests.rules.breaking --write``) keeps what is found. What survives is named in ``unproved.toml``.
Rules about tables are proved over their rows as well (``tables.toml``).
"""

from __future__ import annotations

import pytest

from domain.kernel.rules import HOMES
from tests.rules.audit import audit_game, games
from tests.rules.breaker import game_of
from tests.rules.breaking import Found, asked, run
from tests.rules.rows import tables
from tests.rules.verdicts import Rowed, Verdict, load, load_rows, unproved

SECONDS = 150.0
"""Of the processor, that each of two processes may take: CI waits three minutes at most."""
AGAIN = "python -m tests.rules.breaking --write"


def in_code(game: str) -> set[str]:
    audit_game(game, {})
    return {identifier for identifier, code in HOMES.items() if game_of(code) == game}


def wrong(found: Found, wanted: set[str], owed: set[str], tried: set[str]) -> list[str]:
    """What a run shows to be missing, in words; ``wanted`` are the rules in code, ``owed`` those
    that nobody has proved yet, ``tried`` the tables whose rows have to be noticed.
    """
    each = {rule: one for by_rule in found.verdicts.values() for rule, one in by_rule.items()}
    alive = {rule for rule, one in each.items() if not one.killed}
    late = sorted((wanted - each.keys()) | (tried - found.rows.keys()))
    proved = owed & each.keys() - alive
    rows = {name: one.left for name, one in sorted(found.rows.items()) if one.left}
    return [
        *(f"{name}: so much changed that there was no time for it: {AGAIN}" for name in late),
        *(f"{rule}: none of its tests notices that its home is broken" for rule in alive - owed),
        *(f"{rule}: proved by now, take it off unproved.toml" for rule in proved),
        *(f"{name}: no test notices {', '.join(left)}" for name, left in rows.items()),
    ]


@pytest.mark.timeout(900)
def test_every_rule_dies_when_its_home_is_broken() -> None:
    """And every row of a table is noticed by the tests of the rules that are about it."""
    found = run(asked(games(), seconds=SECONDS))
    wanted = {rule for game in games() for rule in in_code(game)}
    tried = {
        f"{each.name} {rule}" for each in tables().table if not each.owed for rule in each.rules
    }
    assert wrong(found, wanted, set(unproved()), tried) == []


KILLED, ALIVE = Verdict("key", "home: comparison", "test", 1, 1), Verdict("key", tried=3)


@pytest.mark.parametrize(
    ("verdict", "rows", "owed", "said"),
    [
        (KILLED, [], set(), []),
        (ALIVE, [], {"TOY-1"}, []),
        (ALIVE, [], set(), ["TOY-1: none of its tests notices that its home is broken"]),
        (KILLED, [], {"TOY-1"}, ["TOY-1: proved by now, take it off unproved.toml"]),
        (KILLED, ["far: one more"], set(), ["toy.TABLE TOY-1: no test notices far: one more"]),
        (None, [], set(), [f"TOY-1: so much changed that there was no time for it: {AGAIN}"]),
    ],
)
def test_what_is_missing_is_said(
    verdict: Verdict | None, rows: list[str], owed: set[str], said: list[str]
) -> None:
    verdicts = {"toys": {"TOY-1": verdict} if verdict else {}}
    table = "toy.TABLE TOY-1"
    found = Found(verdicts, {table: Rowed("key", 4, rows)}, [])
    assert wrong(found, {"TOY-1"}, owed, {table}) == said


def test_what_is_owed_is_a_rule_in_code() -> None:
    assert unproved().keys() <= {rule for game in games() for rule in in_code(game)}


@pytest.mark.parametrize("game", games())
def test_verdicts_are_kept_of_rules_in_code_only(game: str) -> None:
    assert load(game).keys() <= in_code(game), f"a rule is gone: {AGAIN}"


def test_verdicts_on_rows_are_kept_of_tables_that_are_listed() -> None:
    listed = {f"{each.name} {rule}" for each in tables().table for rule in each.rules}
    assert load_rows().keys() <= listed
