"""Documents that players bring: kinds and their schemas, checking, posting, reading, listing."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from domain.kernel.custom import Custom, Kind
from service.models import CustomDocument
from service.play.customs import kind_of
from service.play.opening import rules_of
from service.problems import Refusal
from service.work.tasks import Check

from .call import AnyGame, Call
from .decoding import decode_body
from .games import replay_header
from .operation import Operation, json_answer, link
from .paging import bad_cursor, next_link, read_cursor, write_cursor
from .plain_schema import inlined
from .reply import Reply
from .rulesets import FOREVER, READING, Cursor, Limit, RulesQuery, caching, ruleset_of
from .wire import CustomChecked, CustomKind, CustomKindList, CustomPage, CustomPosted, CustomShown

TAG = "customs"
CHECKED = msgspec.json.Decoder(CustomDocument)
ANYTHING: msgspec.json.Decoder[Any] = msgspec.json.Decoder()

_ID = re.compile(r"[0-9a-f]{64}")


class PostQuery(msgspec.Struct, frozen=True):
    """How a document is kept."""

    listed: Annotated[
        bool,
        Meta(description="Put it into the list of its kind, for everybody to find; not undone."),
    ] = False


class ListQuery(msgspec.Struct, frozen=True):
    """Which documents of a list."""

    cursor: Cursor = ""
    limit: Limit = 50


def _kind(call: Call) -> Custom[Any]:
    """The kind that the path names; raises ``resource.not-found``."""
    game = ruleset_of(call)
    call.rules = rules_of(game, "")
    try:
        return kind_of(game, call.param("kind"))
    except KeyError:
        raise Refusal("resource.not-found", "The ruleset takes no such documents.") from None


def _shown(game: AnyGame, custom: Custom[Any]) -> CustomKind:
    path = f"/v1/rulesets/{game.ruleset}/customs/{custom.kind}"
    return CustomKind(
        kind=custom.kind,
        title=custom.title,
        text=custom.text,
        schema_path=f"{path}/schema",
        examples=custom.examples(),
    )


async def list_kinds(call: Call) -> Reply:
    game = ruleset_of(call)
    cache = caching(call, game)
    kinds = tuple(_shown(game, custom) for custom in game.customs)
    return call.json(CustomKindList(items=kinds), tagged=True, cache=cache)


async def get_schema(call: Call) -> Reply:
    cache = caching(call, ruleset_of(call))
    return call.json(inlined(_kind(call).schema), tagged=True, cache=cache)


async def _document(call: Call) -> Any:
    return decode_body(ANYTHING, await call.raw_body())


async def check_custom(call: Call) -> Reply:
    kind = _kind(call).kind
    found = await _checked(call, kind, await _document(call))
    assert call.rules is not None, "the kind is a ruleset's own"
    body = CustomChecked(id=found.id, rules=call.rules, kind=kind, name=found.name)
    return call.json(body, cache="no-store")


async def _checked(call: Call, kind: Kind, document: Any) -> CustomDocument:
    """The document as it would be kept. Raises CustomRefused, Unfit."""
    sent = msgspec.Raw(msgspec.json.encode(document))
    return CHECKED.decode(await call.work(Check(call.param("ruleset"), kind, sent)))


async def post_custom(call: Call) -> Reply:
    kind = _kind(call).kind
    key = call.key()
    document = await _document(call)
    kept = await call.desk.writer.post_custom(
        await _checked(call, kind, document),
        listed=call.query.listed, key=key, caller=call.caller,
    )  # fmt: skip
    headers = {"Location": f"/v1/customs/{kept.id}", **replay_header(kept.replayed)}
    body = CustomPosted(id=kept.id, ruleset=kept.ruleset, kind=kept.kind, name=kept.name)
    return call.json(body, status=201, headers=headers, cache="no-store")


async def list_customs(call: Call) -> Reply:
    kind, query = _kind(call).kind, call.query
    found = await call.desk.writer.customs(
        call.param("ruleset"), kind, after=await _last_shown(call, kind), limit=query.limit + 1
    )
    page = tuple(_posted(each) for each in found[: query.limit])
    cursor = write_cursor(page[-1].id) if len(found) > query.limit else None
    return call.json(CustomPage(items=page, next=cursor), headers=next_link(call, cursor))


async def _last_shown(call: Call, kind: Kind) -> str:
    """The document after which the list goes on; "" for its beginning. Raises ``query.invalid``."""
    id = read_cursor(call.query.cursor)
    last = await call.desk.writer.custom(id) if id else None
    if id and (last is None or (last.ruleset, last.kind) != (call.param("ruleset"), kind)):
        raise bad_cursor()
    return id


def _posted(kept: CustomDocument) -> CustomPosted:
    return CustomPosted(id=kept.id, ruleset=kept.ruleset, kind=kept.kind, name=kept.name)


async def get_custom(call: Call) -> Reply:
    name = call.param("custom")
    found = await call.desk.writer.custom(name) if _ID.fullmatch(name) else None
    if found is None:
        raise Refusal("resource.not-found", "No document has been posted under that id.")
    return call.json(_with_content(found), tagged=True, cache=FOREVER)


def _with_content(found: CustomDocument) -> CustomShown:
    return CustomShown(
        id=found.id,
        ruleset=found.ruleset,
        kind=found.kind,
        name=found.name,
        document=found.document,
    )


_NAMED = "The id is the document's own: SHA-256 over ruleset, kind and canonical content. "

OPERATIONS = (
    Operation(
        id="listCustomKinds",
        method="GET",
        path="/v1/rulesets/{ruleset}/customs",
        tag=TAG,
        summary="List the kinds of documents",
        description="What players may bring to games of the ruleset: scenarios, maps, decks. Each "
        "kind has a JSON Schema for editors and examples to start from.",
        run=list_kinds,
        access="open",
        query=RulesQuery,
        answers=(json_answer(200, "The kinds.", CustomKindList, "ETag"),),
        problems=READING,
    ),
    Operation(
        id="getCustomSchema",
        method="GET",
        path="/v1/rulesets/{ruleset}/customs/{kind}/schema",
        tag=TAG,
        summary="Show the schema of a kind",
        description="The JSON Schema (2020-12) of a document, with a description of every field: "
        "give its address to your editor.",
        run=get_schema,
        access="open",
        query=RulesQuery,
        answers=(json_answer(200, "The schema.", "JsonSchema", "ETag"),),
        problems=READING,
    ),
    Operation(
        id="checkCustom",
        method="POST",
        path="/v1/rulesets/{ruleset}/customs/{kind}/check",
        tag=TAG,
        summary="Check a document",
        description="Judges a document without keeping it: 200 with the id that it would have, or "
        "the problem that names every fault at once.",
        run=check_custom,
        access="viewer",
        body="CustomContent",
        answers=(json_answer(200, "It is good.", CustomChecked),),
        problems=("resource.not-found", "document.too-large", "document.faulty"),
    ),
    Operation(
        id="createCustom",
        method="POST",
        path="/v1/rulesets/{ruleset}/customs/{kind}",
        tag=TAG,
        summary="Post a document",
        description="Keeps a document that passes its check. " + _NAMED + "Posting the same again "
        "changes nothing. Whoever knows the id may read it; it is in no list unless `listed` asks "
        "for that. Games name it by its id (`createGame`). It is kept for `limits.documentDays` "
        "days (`GET /v1`) after it was last posted or named by a new game; a game has it for ever.",
        run=post_custom,
        access="viewer",
        query=PostQuery,
        body="CustomContent",
        headers=("Idempotency-Key",),
        answers=(
            json_answer(201, "It is kept.", CustomPosted, "Location", "Idempotency-Replayed"),
        ),
        problems=(
            "query.invalid",
            "resource.not-found",
            "document.too-large",
            "document.faulty",
        ),
        writes=True,
        links=(
            link("getCustom", custom="#/id"),
            link("listCustoms", ruleset="#/ruleset", kind="#/kind"),
            link("getCustomSchema", ruleset="#/ruleset", kind="#/kind"),
        ),
    ),
    Operation(
        id="listCustoms",
        method="GET",
        path="/v1/rulesets/{ruleset}/customs/{kind}",
        tag=TAG,
        summary="List the documents of a kind",
        description="The documents that were posted to be listed, the latest post first.",
        run=list_customs,
        access="viewer",
        query=ListQuery,
        answers=(json_answer(200, "A page of documents.", CustomPage, "Link"),),
        problems=(
            "query.invalid",
            "resource.not-found",
        ),
    ),
    Operation(
        id="getCustom",
        method="GET",
        path="/v1/customs/{custom}",
        tag=TAG,
        summary="Show a document",
        description="A posted document. " + _NAMED + "What an id stands for never changes.",
        run=get_custom,
        access="viewer",
        answers=(json_answer(200, "The document.", CustomShown, "ETag"),),
        problems=("resource.not-found",),
    ),
)
