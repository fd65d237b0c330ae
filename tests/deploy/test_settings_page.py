"""The page of settings is what the program says of them."""

from __future__ import annotations

import re

from service.settings import FIELDS, about, variable
from tests.support.settings_page import PAGE, page


def test_the_page_is_what_the_program_says() -> None:
    told = PAGE.read_text("utf-8")
    assert told == page(), "make remake"
    assert [name for name in FIELDS if f"| `{variable(name)}` |" not in told] == []


def test_what_a_setting_is_for_is_said_as_a_noun() -> None:
    for name, told in about().items():
        assert re.match(r"[A-Z]\w+\b", told.help), name
        assert not told.help.endswith("."), name
        assert not re.match(r"(What|Who|Why|How)\b", told.help), name


def test_the_example_is_one() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names = re.findall(r"^(\w+) =", block, re.MULTILINE)
    assert {name.removesuffix("_file") for name in names} <= {*FIELDS}
