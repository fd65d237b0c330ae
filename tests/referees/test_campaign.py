"""What a campaign counts besides judgements: who won."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referees.__main__ import Campaign, winners
from tests.referees.games import judge, recorded


@pytest.mark.parametrize(
    ("story", "told"),
    [
        ("elimination", "2 seats: p2"),
        ("teams", "4 seats: p2 and p4"),
        ("draw-agreed", "2 seats: nobody"),
    ],
)
def test_it_says_who_won_out_of_how_many(story: str, told: str) -> None:
    assert winners(recorded("crimson_tide")[story]) == told


def test_it_goes_on_with_what_was_counted(tmp_path: Path) -> None:
    events = recorded("crimson_tide")["elimination"]
    file = tmp_path / "campaign.json"
    campaign = Campaign("crimson_tide", 0)
    campaign.take(0, events, judge("crimson_tide", events), 1.0)
    campaign.keep(file)
    again = Campaign.kept(file)
    assert again == campaign
    assert again.won == {winners(events): 1}
