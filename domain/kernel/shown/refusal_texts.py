"""What people read of each code with which rules refuse: when it is given, and what to do."""

from __future__ import annotations

from collections.abc import Mapping

from ..data import list_files, load_toml
from ..values import Value

FILE = "refusals.toml"


class RefusalText(Value, frozen=True):
    """What people read of a refusal's code, in Markdown.

    meaning  when it is given
    hint     what to do, in general: the refusal itself says what would be legal
    """

    meaning: str
    hint: str


def refusal_texts(package: str) -> Mapping[str, RefusalText]:
    """The texts of a package ``shown`` by code; none where it has no such file, or is no package.

    The kernel's own are those of its loop of play (``domain.kernel.shown``).
    """
    try:
        there = f"/{FILE}" in list_files(package, "", ".toml")
    except ModuleNotFoundError:
        return {}
    return load_toml(package, FILE, dict[str, RefusalText]) if there else {}
