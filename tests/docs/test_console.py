"""The reader of console blocks must notice what differs."""

from __future__ import annotations

import os
from pathlib import Path

from tests.docs.console import Shown, matches, run, shown

DOCUMENT = """
Words.

```console
$ echo one
one
$ echo two \\
  three
two three
```

```sh
$ not run
```

```console
$ true
```
"""


def test_commands_and_outputs_are_read() -> None:
    assert list(shown(DOCUMENT)) == [
        Shown("echo one", "one"),
        Shown("echo two \\\n  three", "two three"),
        Shown("true", ""),
    ]


def test_what_differs_does_not_match() -> None:
    assert matches("a\nb", "a\nb\n")
    assert matches("a ... d", "a b\nc d")
    assert not matches("a", "b")
    assert not matches("a ... d", "a b c")
    assert not matches("a", "a\nb")


def test_one_shell_runs_all_and_gives_exit_codes(tmp_path: Path) -> None:
    done = run(["X=5", "echo $X", "false"], tmp_path, os.environ, 20)
    assert done == [("", 0), ("5\n", 0), ("", 1)]
