"""What the command line says when something cannot be done as asked."""

from __future__ import annotations


class Mistake(Exception):
    """Used wrongly, or not possible as asked: ends the command without a trace.

    message  one sentence
    hint     what to do instead, one sentence; may be empty
    code     stable, machine-readable; a problem of the service keeps its own
    """

    exit_code = 2

    def __init__(self, message: str, hint: str, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


class NotYet(Mistake):
    """What was asked for waits, and will be done: EX_TEMPFAIL of sysexits.h."""

    exit_code = 75
