"""Build the page's judge: ``python -m service.judge``. What is vendored has to be there already
(``python -m service.judge.vendor``)."""

from __future__ import annotations

import hashlib
from pathlib import Path

from . import alone, parts, released, tree, vendor


def main(folder: Path = vendor.FOLDER) -> None:
    """Pack our packages beside what was vendored, and all of it into one page; list what there is.

    The last line, and the list (``released.json``), have the page's digest.
    """
    vendor.vendored(folder)
    (folder / parts.TREE).write_bytes(tree.packed())
    whole = alone.page(parts.built(folder))
    (folder / alone.NAME).write_bytes(whole)
    (folder / released.NAME).write_bytes(released.released(folder))
    print(f"{hashlib.sha256(whole).hexdigest()}  {alone.NAME}")


if __name__ == "__main__":
    main()
