"""Parameters of paths, queries and heads: their types, bounds and words, each said once.

What is wrong with a parameter was refused by the guard, before Litestar looks at it.
"""

from __future__ import annotations

from typing import Annotated

from litestar.params import HeaderParameter, PathParameter, QueryParameter, SkipValidationMarker

UNCHECKED = SkipValidationMarker()
HIGHEST = 2**53 - 1
HEXADECIMAL = "^[0-9a-fA-F]{64}$"

GameId = Annotated[
    str, PathParameter(description="Id of the game.", pattern="^[0-9a-f]{32}$"), UNCHECKED
]
RulesetId = Annotated[str, PathParameter(description="Id of the ruleset.")]
UnitId = Annotated[str, PathParameter(description="Id of the unit.")]
AbilityId = Annotated[str, PathParameter(description="Id of the ability.")]
RuleId = Annotated[str, PathParameter(description="Id of the rule or ruling.")]
RollId = Annotated[str, PathParameter(description="Id of the roll: its label."), UNCHECKED]
KindName = Annotated[str, PathParameter(description="Kind of document.")]
CustomId = Annotated[str, PathParameter(description="Id of the document.")]
WebhookId = Annotated[str, PathParameter(description="Id of the webhook.")]
DeliveryId = Annotated[str, PathParameter(description="Id of the delivery.")]
PageName = Annotated[str, PathParameter(description="Name of the page.")]
AssetName = Annotated[str, PathParameter(description="Name of the file.")]
SliceName = Annotated[
    str, PathParameter(description="Id of the ruleset, or `validators`, with `.json`.")
]
ProblemCode = Annotated[str, PathParameter(description="Code of the problem.")]
IdempotencyKey = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        description="A fresh random text for each new request; the same one to repeat a request. "
        "Without a token it is the secret that opens the answer again.",
        min_length=32,
        max_length=255,
        pattern="^[!-~]+$",
    ),
    UNCHECKED,
]
IfMatch = Annotated[
    str,
    HeaderParameter(
        name="If-Match",
        description='The version that the command was decided on: `"7"`, or the ETag of any answer '
        "that shows the game at that version, which begins with it; of a compressed one too.",
        pattern='^"[0-9]{1,16}(-[0-9a-f]{16})?(-gzip)?"$',
    ),
    UNCHECKED,
]
DiceLink = Annotated[
    str,
    HeaderParameter(
        name="Decklog-Dice-Link",
        description="The seat's own dice link for its command (grade A1), in hexadecimal digits.",
        pattern=HEXADECIMAL,
    ),
    UNCHECKED,
]
DiceTip = Annotated[
    str,
    HeaderParameter(
        name="Decklog-Dice-Tip",
        description="Tip of the seat's next dice chain, when the one before is spent (grade A1).",
        pattern=HEXADECIMAL,
    ),
    UNCHECKED,
]
OrderSignature = Annotated[
    str,
    HeaderParameter(
        name="Decklog-Signature",
        description="The seat's signature of the command, where it has registered a key, in "
        "hexadecimal digits.",
        pattern="^[0-9a-fA-F]{128}$",
    ),
    UNCHECKED,
]
WithToken = Annotated[
    str,
    HeaderParameter(
        name="Decklog-With-Token",
        description="A token of the game that `with` names, where the request's own is of "
        "another one.",
        max_length=200,
    ),
    UNCHECKED,
]
LastEventId = Annotated[
    str,
    HeaderParameter(
        name="Last-Event-ID",
        description="`seq` of the last event that was seen (server-sent events); it goes "
        "before `after`.",
        pattern="^[0-9]{0,16}$",
    ),
    UNCHECKED,
]

Limit = Annotated[int, QueryParameter(ge=1, le=200, description="Items of a page.")]
Cursor = Annotated[str, QueryParameter(max_length=200, description="The end of the page before.")]
At = Annotated[
    int | None,
    QueryParameter(ge=1, le=HIGHEST, description="The version to show; the newest one if absent."),
]
As = Annotated[
    str,
    QueryParameter(
        name="as",
        max_length=16,
        pattern="^[a-z0-9]*$",
        description="Look as this seat, as `public` or at the `truth`, where the caller may: its "
        "own seat and `public`; everything once it is `opened`. Absent: the caller's own eyes.",
    ),
]
OfRuleset = Annotated[
    str | None, QueryParameter(max_length=64, description="Only games of this ruleset.")
]
