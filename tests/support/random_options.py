"""Options of random games, from their types: each is played with each of its values.

A bool and a Literal have their values in equal parts. ``Weights`` are the exceptions: a value as
often as it stands there. What has bounds or is a text has to be among them: how far a campaign can
go in the size of a table is nobody's to guess. An option's draw hangs on its name and the seed
alone, so that a new option leaves all other draws as they are.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.kernel.agreed import Agreed, options_of

Weights = Mapping[str, Sequence[Any]]


def random_options(
    options: type[msgspec.Struct], edition: str, seed: int, weights: Weights
) -> dict[str, Any]:
    """A value for each option that works in the edition."""
    return {
        each.name: random.Random(f"option {seed} {each.name}").choice(ways(each, weights))
        for each in options_of(options)
        if each.works(edition)
    }


def ways(option: Agreed, weights: Weights) -> Sequence[Any]:
    """The values that the option is played with, each as often as it is here."""
    if option.name in weights:
        return weights[option.name]
    if not option.values:
        raise ValueError(f"{option.name} is no bool and no Literal: weights say how it is played")
    return option.values
