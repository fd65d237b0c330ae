"""Build the page's judge: ``python -m service.judge``. What is vendored has to be there already
(``python -m service.judge.vendor``)."""

from __future__ import annotations

import hashlib

from . import alone, parts, tree, vendor


def main() -> None:
    """Pack our packages beside what was vendored, and all of it into one page."""
    vendor.vendored()
    (vendor.FOLDER / parts.TREE).write_bytes(tree.packed())
    whole = alone.page(parts.built())
    (vendor.FOLDER / alone.NAME).write_bytes(whole)
    print(f"{hashlib.sha256(whole).hexdigest()}  {alone.NAME}")


if __name__ == "__main__":
    main()
