"""A loaded engine answers in the kernel's types, whatever its own kernel knows of them."""

from __future__ import annotations

from domain.kernel.finder import games
from domain.kernel.options import Template
from domain.kernel.setup import Setup
from service.engines import carry, load
from service.engines.face import adapt
from tests.service.engines.trees import RULESETS, built
from tests.support.templated import plain


def templates(archive: bytes) -> tuple[Template, ...]:
    """How a fleet of War at Sea is built, as the engine of an archive tells it."""
    engine = adapt(load.load(archive))
    setup = Setup("war-at-sea", "2009", "standard", ("p1", "p2"))
    state = None
    for event in engine.opening(setup):
        state = engine.evolve(state, event)
    return tuple(engine.legal(state, "p1").templates)


def test_templates_tell_their_refusals_through_an_archive_too() -> None:
    game = games()["war-at-sea"]
    told = templates(built(RULESETS["war-at-sea"]))
    state = game.fold(game.opening(Setup("war-at-sea", "2009", "standard", ("p1", "p2"))))
    assert told == game.legal(state, "p1").templates
    assert [each.code for each in told[0].refusals] == ["fleet.no-base", "fleet.over-points"]


def test_an_engine_of_the_past_tells_templates_without_refusals() -> None:
    """That of version 6 is from before templates told which refusals they leave open."""
    carried = {(each.ruleset, each.version): each for each in carry.table()}
    (fleet,) = templates(carry.archive(carried["war-at-sea", "6"]))
    assert (fleet.type, fleet.refusals) == ("war-at-sea.submit-fleet", ())
    assert set(plain(fleet.schema)["properties"]) == {"type", "cards"}
