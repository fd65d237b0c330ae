"""Bugs planted in the engines: a function is changed, the game is played on, the referee is asked.

``python -m tests.referees.engines GAME`` plants them one after the other, each in a process of its
own, and tells by JSON lines in which game its referee noticed it, and what it found there.

A bug is a change of a function's text: what stands there, and what stands there instead. Where the
text is no longer found, the engine was rewritten and the bug has to be planted anew.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import json
import random
import textwrap
from collections.abc import Callable, Iterator
from itertools import islice
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from domain.kernel import conformance
from service.referees import told
from service.referees.verdict import END, Events
from tests.referees.games import judge
from tests.rules.forks import Told, forked
from tests.support.suites import suites

SEEDS = 25
"""Games that are played for a bug, at most."""
COMMANDS = 700
"""Commands of one game, at most: a bug may keep it from ending."""


class Bug(NamedTuple):
    """A change of an engine's function.

    home  module below the game's folder, and the function: ``rules.dice.hits``
    seed  a random game in which it shows, which is played first
    """

    home: str
    old: str
    new: str
    seed: int = 0


def plant(game: str, bug: Bug) -> None:
    """Change the function, for everybody who holds it, until this process ends."""
    module, _, name = bug.home.rpartition(".")
    found = getattr(importlib.import_module(f"domain.games.{game}.{module}"), name)
    function: FunctionType = inspect.unwrap(found)
    function.__code__ = _changed(function, bug)


def _changed(function: FunctionType, bug: Bug) -> CodeType:
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(bug.old) == 1, f"{bug.home}: {bug.old!r} is not there, or not once"
    tree = ast.parse(text.replace(bug.old, bug.new))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []  # a rule's home is marked already
    space = dict(function.__globals__)
    exec(compile(tree, function.__code__.co_filename, "exec", dont_inherit=False), space)
    made: FunctionType = space[function.__name__]
    return made.__code__


def played(game: str, seed: int) -> tuple[Events, bool]:
    """A random game as far as it comes, and whether it came to its end."""
    suite = suites()[game]
    setup, ruleset = suite.random(seed)
    events: list[Any] = []
    try:
        steps = conformance.play(ruleset, setup, random.Random(f"play {seed}").randrange)
        for step in islice(steps, COMMANDS):
            events = step.events
    except Exception as error:  # an engine with a bug may stumble over itself
        del error
    return told(suite.codec, events), bool(events) and events[-1].NAME == END


def noticed(game: str, bug: Bug, seeds: int = SEEDS) -> Iterator[tuple[int, str]]:
    """Of each game its seed and what the referee found, until it disagrees; -1 if it never does.

    The seed that is known to show it comes first.
    """
    plant(game, bug)
    for seed in dict.fromkeys((bug.seed, *range(seeds))):
        events, over = played(game, seed)
        findings = judge(game, events, over).findings if events else []
        yield seed, str(findings[0]) if findings else ""
        if findings:
            return
    yield -1, "no disagreement"


def campaign(game: str, names: list[str]) -> Iterator[dict[str, Any]]:
    """What became of each bug, each in a process of its own."""
    for name, bug in BUGS[game].items():
        if names and name not in names:
            continue
        heard = [told_.test for told_ in forked(_asked(game, bug)) if told_.test]
        seed, found = json.loads(heard[-1]) if heard else (-1, "")
        yield {"bug": name, "seed": seed if found else -1, "found": found or "it came to no end"}


def _asked(game: str, bug: Bug) -> Callable[[], Iterator[Told]]:
    def work() -> Iterator[Told]:
        try:
            for each in noticed(game, bug):
                yield Told(json.dumps(each), "passed")
        except AssertionError as error:
            yield Told(json.dumps((-1, str(error))), "failed")

    return work


BUGS: dict[str, dict[str, Bug]] = {
    "war_at_sea": {
        "a 3 is a success": Bug("rules.dice.successes", "penalty >= 4", "penalty >= 3"),
        "a 6 is one success": Bug("rules.dice.successes", "six_counts(shot)", "1"),
        "a 5 is a torpedo's hit": Bug("rules.dice.torpedo_hits", "face == 6", "face == 5"),
        "vital armor must be beaten": Bug("rules.dice.reads", "number >= vital", "number > vital"),
        "armor must be beaten": Bug("rules.dice.reads", "number >= armor_", "number > armor_"),
        "a die more than printed": Bug(
            "rules.dice.dice", 'Reason(value, "WAS-ATK-02"', 'Reason(value + 1, "WAS-ATK-02"'
        ),
        "armor one too high": Bug(
            "rules.dice.armor", "Reason(shot.target.armor,", "Reason(shot.target.armor + 1,"
        ),
        "Aircraft are destroyed, not aborted": Bug(
            "rules.aftermath.outcome_of", 'return "aborted", 0', 'return "destroyed", 0'
        ),
        "crippled with two hull points": Bug(
            "rules.damage.apply_damage", "crippled=left == 1", "crippled=left == 2"
        ),
        "damage one too much": Bug(
            "rules.damage.apply_damage", "damage=unit.pending,", "damage=unit.pending + 1,"
        ),
        "a unit is worth more than it costs": Bug("rules.damage._worth", ".cost", ".cost + 1"),
        "points for its own side": Bug(
            "rules.damage.remove", "scorer=state.other(unit.seat)", "scorer=unit.seat"
        ),
        "a 2 takes Aircraft down with a Carrier": Bug(
            "rules.damage.carrier_rolled", "face == 1", "face <= 2", seed=10
        ),
        "a Ship swims without hull points": Bug(
            "rules.facts.sinking", "unit.pending >= card_of", "unit.pending > card_of"
        ),
        "torpedoes with the guns in 2007": Bug(
            "rules.targets.phase_weapons", "state.rulebook.guns_and_torpedoes", "True"
        ),
        "Aircraft attack twice": Bug(
            "rules.targets._why_not_aircraft_again",
            "if unit.done and not made:",
            "if False:",
            seed=10,
        ),
        "an objective beside an enemy": Bug(
            "rules.victory.claimable", "> 1 for", "> 0 for", seed=15
        ),
        "an objective is worth double": Bug(
            "rules.victory.objective_points",
            "return terms.worth(state, sector)",
            "return 2 * terms.worth(state, sector)",
        ),
        "the bonus in 2007": Bug(
            "rules.victory.bonus_due",
            "if not state.rulebook.ships_bonus or seat",
            "if seat",
            seed=4,
        ),
        "a Ship too many in a sector": Bug(
            "rules.stacking.limit", "return limits.ships", "return limits.ships + 1"
        ),
        "a sector too far": Bug(
            "rules.sea_movement.speed", "Reason(card.speed,", "Reason(card.speed + 1,"
        ),
        "a Ship moves twice": Bug(
            "rules.sea_movement.why_not_mobile", "if unit.moved:", "if False:"
        ),
        "nobody is rearmed": Bug("rules.air_return.begin", "if not held(", "if held("),
        "no rearming at the airbase": Bug(
            "rules.air_return.land", "flew and base == AIRBASE and not loiters", "False"
        ),
        "missions while rearming": Bug(
            "rules.air_missions.waiting", "and not unit.rearming", "and True"
        ),
        "a crippled Flagship leads": Bug(
            "rules.initiative.flagship", "not crippled(state, unit) and ", ""
        ),
        "the winner of the initiative goes first": Bug(
            "rules.initiative.loser", "one if a < b else two", "two if a < b else one"
        ),
        "the search needs one more": Bug(
            "rules.darkness.search_rolled", "found = face >= needed", "found = face > needed"
        ),
        "the lower score wins": Bug(
            "rules.victory._by_points", "> state.scores[two]", "< state.scores[two]"
        ),
    },
    "crimson_tide": {
        "a 6 is three hits": Bug("rules.dice.hits", "2 if face == 6", "3 if face == 6"),
        "torpedoes hit on 5": Bug(
            "rules.dice.torpedo_hits", "faces.count(6)", "faces.count(5)", seed=19
        ),
        "as many hits as armor are enough": Bug(
            "rules.dice.beats", "return number > rating", "return number >= rating"
        ),
        "a collision costs three": Bug("rules.dice.wreckage", "return 2", "return 3", seed=3),
        "a die more than printed": Bug(
            "rules.strength.dice", 'Reason(number, "CT-CARD-05"', 'Reason(number + 1, "CT-CARD-05"'
        ),
        "crippled ships hit on 4": Bug(
            "rules.strength.least", 'Reason(1, "CT-DMG-06"', 'Reason(0, "CT-DMG-06"', seed=20
        ),
        "crippled ships lose two of armor": Bug(
            "rules.strength._rating", 'Reason(-1, "CT-DMG-06"', 'Reason(-2, "CT-DMG-06"', seed=3
        ),
        "a unit is worth more than it costs": Bug(
            "rules.damage.worth", ".points\n", ".points + 1\n"
        ),
        "points for its own side": Bug(
            "rules.damage.remove", "else state.other(unit.seat)", "else state.side(unit.seat)"
        ),
        "damage one too much": Bug(
            "rules.damage.apply", "hull_lost=min(lost, full)", "hull_lost=min(lost + 1, full)"
        ),
        "repaired with a 3": Bug(
            "rules.damage.repair_rolled", "face >= REPAIRED_ON", "face >= 3", seed=6
        ),
        "land is looked past from the side": Bug(
            "rules.sight_lines.view", "eye if from_side else firer.pose.position", "eye", seed=83
        ),
        "a klick too many": Bug(
            "rules.movement.allowance", "Reason(card.movement,", "Reason(card.movement + 1,"
        ),
        "evading costs nothing": Bug(
            "rules.movement.after_evading", "return klicks - klicks // 2", "return klicks", seed=19
        ),
        "Flagships count for nothing": Bug(
            "rules.initiative.total", "Tally.of(*dice, *flagships(state, seat))", "Tally.of(*dice)"
        ),
        "the winner of the initiative goes first": Bug(
            "rules.initiative.loser", "one if a < b else two", "two if a < b else one"
        ),
        "nobody tests for grounds": Bug(
            "rules.geography.must_test", "2 * klicks >= allowed", "False"
        ),
        "half speed rounded down": Bug(
            "rules.geography.must_test",
            "2 * klicks >= allowed",
            "klicks >= allowed // 2",
            seed=33,
        ),
        "aground one face more": Bug(
            "rules.voyage.grounding_tested",
            "most = grounds_on(size_of(flow.state, unit))",
            "most = grounds_on(size_of(flow.state, unit)) + 1",
        ),
        "a torpedo too many": Bug(
            "rules.attacks._launch",
            "shot.dice.total, evaded",
            "shot.dice.total + 1, evaded",
            seed=14,
        ),
        "a gun's hit costs two": Bug(
            "rules.attacks.attack_rolled", '"miss" else 1)', '"miss" else 2)'
        ),
        "the next critical of the table": Bug(
            "rules.attacks.critical_rolled",
            "marker(state, target, one + two)",
            "marker(state, target, min(12, one + two + 1))",
        ),
        "rearming markers exchanged": Bug(
            "rules.transit.land",
            "AFTER_LAND if base == LAND_BASE else AFTER_SHIP",
            "AFTER_SHIP if base == LAND_BASE else AFTER_LAND",
        ),
        "control after one turn": Bug(
            "rules.objectives.control", "held >= TURNS_HELD", "held >= 1"
        ),
        "the lower score wins": Bug(
            "rules.victory._leader", "> state.scores[two]", "< state.scores[two]"
        ),
        "a collision die too many": Bug(
            "rules.collisions._collide",
            "other.id, unit.id, hull_left(flow.state, unit)",
            "other.id, unit.id, hull_left(flow.state, unit) + 1",
        ),
        "a torpedo costs one": Bug("rules.torpedoes.answered", "number * TORPEDO_DAMAGE", "number"),
        "the same guns twice": Bug("rules.targets._why_used", "if use in unit.used:", "if False:"),
        "a band too far": Bug(
            "rules.ranges.band", "return distance.band(", "return 1 + distance.band("
        ),
        "one of a team wins alone": Bug(
            "rules.victory.end_if",
            "if state.side(seat) in result.winners",
            "if seat in result.winners",
            seed=1,
        ),
        "no quadrants": Bug(
            "rules.geography.quadrant",
            'if state.options.quadrants == "open":',
            "if True:",
            seed=1,
        ),
        "a partner's flagship counts for nothing": Bug(
            "rules.initiative.flagships",
            "for unit in of_side(state, seat)",
            "for unit in of_side(state, seat) if unit.seat == seat",
            seed=13,
        ),
        "all begin where the scenario's first does": Bug(
            "rules.placing.by_scenario",
            "each.card, each.pose",
            "each.card, flow.state.terms.starts[0].pose",
            seed=55,
        ),
        "one convoy where both sides have one": Bug(
            "rules.fleets._with_convoy",
            "not in state.terms.escorts",
            "!= state.terms.escort",
            seed=9,
        ),
    },
    "naval_battles": {
        "the score counts twice": Bug(
            "rules.facts.points", "sum(SHIPS[name].points", "2 * sum(SHIPS[name].points"
        ),
        "what a fleet lacks is its own gain": Bug(
            "rules.evening.made_up", "state.seats.index(seat) - 1", "state.seats.index(seat)"
        ),
        "any gun fires any shell": Bug(
            "rules.declaring.fits", "facts.caliber(mount) in card.calibers", "True"
        ),
        "eight cards in hand": Bug("rules.drawing.draw", "wanted = ", "wanted = 1 + "),
        "the card beside the one that was drawn": Bug(
            "rules.drawing._picked", "left.pop(face - 1)", "left.pop(face - 2)"
        ),
        "a discard is lost": Bug("rules.drawing.renew", "state.discards)", "state.discards[1:])"),
        "damage is forgotten": Bug(
            "rules.facts.damage", "for name in ship.damage)", "for name in ship.damage[1:])"
        ),
        "raids ignore the row": Bug(
            "rules.reckoning.carrier_needed", "air_raid[row - 1]", "air_raid[0]"
        ),
        "antiaircraft guns help the raid": Bug(
            "rules.reckoning.flak", "Reason(-rating,", "Reason(rating,"
        ),
        "air cover needs more": Bug(
            "rules.reckoning.cover_needed", ".air_cover,", ".air_cover + 1,"
        ),
        "run silent needs less": Bug(
            "rules.reckoning.silence_needed", ".run_silent,", ".run_silent - 1,"
        ),
        "no guidance": Bug(
            "rules.reckoning.added",
            "(*torpedo_spread.guidance(roll.ship), *helped)",
            "helped",
        ),
        "a roll must be beaten": Bug(
            "rules.rolling.scored", "total.total >= needed.total", "total.total > needed.total"
        ),
        "four damage cards removed": Bug(
            "rules.reorganize.play_retreat", "retreat.REMOVES if damaged", "4 if damaged"
        ),
        "reinforcements at half price": Bug(
            "rules.reorganize.worth_of", "for name in ships)", "for name in ships) // 2"
        ),
        "damage one more than the card's": Bug(
            "rules.resolving.hit", ".damage if attack.card", ".damage + 1 if attack.card"
        ),
        "a ship swims with a full hull": Bug(
            "rules.resolving.hit", "total >= hull", "total > hull"
        ),
        "points and five more": Bug(
            "rules.resolving.sink",
            "points=SHIPS[target.id].points",
            "points=SHIPS[target.id].points + 5",
        ),
        "damage cards go down with the ship": Bug(
            "rules.resolving.sink",
            "(*target.damage, *spent(state, attack))",
            "spent(state, attack)",
        ),
        "rows do not close up": Bug(
            "rules.rows.close_up", "if present == list(range(1, len(present) + 1)):", "if True:"
        ),
        "the lowest roller is first": Bug(
            "rules.setup.first_rolled", "max(thrown.values())", "min(thrown.values())"
        ),
        "the turn goes back to the second": Bug(
            "rules.turns.next_player", "start = state.active", "start = state.first", seed=1
        ),
        "calm whatever happens": Bug(
            "rules.turns.begin", "0 if state.progress else state.calm + 1", "state.calm + 1"
        ),
        "cards stay prepared": Bug("rules.turns.expire", "if lying:", "if False:"),
        "ten points win": Bug("rules.winning._battle", ">= BATTLE", ">= 10"),
        "ships in play are in reserve": Bug(
            "rules.setup.lay_out", " if ship.id not in ships)", ")"
        ),
        "a lost point of reinforcements": Bug(
            "rules.reorganize.reinforce", "lost = granted - ", "lost = 1 + granted - "
        ),
    },
}
"""At least twenty of each game, by what they do."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.referees.engines", description=__doc__)
    parser.add_argument("game", choices=sorted(BUGS))
    parser.add_argument("bugs", nargs="*", help="only these, by name")
    asked = parser.parse_args()
    for told_ in campaign(asked.game, asked.bugs):
        print(json.dumps(told_), flush=True)


if __name__ == "__main__":
    main()
