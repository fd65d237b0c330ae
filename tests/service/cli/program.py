"""``decklog`` with Pennant among its rulesets, for tests that need a process of its own."""

from __future__ import annotations

import sys

from service.cli import main
from tests.support.pennant import GAME

if __name__ == "__main__":
    from domain.kernel.finder import games

    sys.exit(main(sys.argv[1:], {**games(), "pennant": GAME}))
