"""Every text that is said otherwise stands somewhere in the rules' files, and reaches no reader."""

from __future__ import annotations

from service.openapi.document import plain
from service.openapi.reworded import REWORDED
from tests.service.openapi.test_words import texts


def test_each_is_said_and_none_as_it_stood() -> None:
    said = {text for _, text in texts(plain())}
    assert set(REWORDED.values()) <= said
    assert not said & set(REWORDED)
