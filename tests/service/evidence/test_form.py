"""Foreign text is read in one scan: four times the text takes four times the time."""

from __future__ import annotations

import time

import pytest

from service.evidence.form import MAX_DEPTH, BadForm, TooDeep, check_canonical, check_depth

DEEP = b"[" * (MAX_DEPTH + 1)
HOSTILE = {
    "strings that never end": b'\\"',
    "lone quotes": b'"',
    "escapes": b'"\\\\',
    "breaks after a backslash": b'"\\\n',
    "strings and brackets": b'"[",{}',
}
SIZE = 10_000


def seconds(text: bytes) -> float:
    """Of the processor, the least of three scans: what else the machine does only adds."""
    found = []
    for _ in range(3):
        begin = time.process_time()
        check_depth(text)
        found.append(time.process_time() - begin)
    return min(found)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_scanned_once(name: str) -> None:
    flat, part = b"[]" * (MAX_DEPTH + 1), HOSTILE[name]
    one, two = (flat + part * (size // len(part)) for size in (SIZE, 4 * SIZE))
    assert seconds(two) < 8 * seconds(one) + 0.01


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        b'"[" ' + DEEP,
        b'"\\"" ' + DEEP,
        b'"\\\\" ' + DEEP,
        b"[[]]" * MAX_DEPTH + DEEP,
        b'["\n",' * (MAX_DEPTH + 1),
    ],
)
def test_what_is_too_deep_is_found(text: bytes) -> None:
    with pytest.raises(TooDeep):
        check_depth(text)


@pytest.mark.parametrize("text", [b'"' + DEEP + b'"', b'"\\"' + DEEP + b'"', b"[]" * 2 * MAX_DEPTH])
def test_brackets_in_strings_and_beside_each_other_are_not_deep(text: bytes) -> None:
    check_depth(text)


@pytest.mark.parametrize("text", [b'["' + DEEP, b'["' + DEEP + b"\\"])
def test_a_string_that_never_ends_is_no_json(text: bytes) -> None:
    with pytest.raises(BadForm, match="not JSON"):
        check_canonical(text)
