"""Build the page's judge: ``python -m service.judge``. What is vendored has to be there already
(``python -m service.judge.vendor``)."""

from __future__ import annotations

from . import parts, tree, vendor


def main() -> None:
    """Pack our packages beside what was vendored."""
    vendor.vendored()
    (vendor.FOLDER / parts.TREE).write_bytes(tree.packed())


if __name__ == "__main__":
    main()
