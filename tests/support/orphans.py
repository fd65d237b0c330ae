"""A process that its parent has left ends too: a killed campaign leaves nothing running."""

from __future__ import annotations

import os
import threading
import time

LOOK_SECONDS = 1.0


def end_with_parent() -> None:
    """From now on: when the parent is gone, whatever became of it, this process is."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
