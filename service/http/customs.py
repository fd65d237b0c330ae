"""Documents that players bring: kinds and their schemas, checking, posting, reading, listing."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response
from litestar.params import JSONBody, QueryParameter, SkipValidation

from domain.kernel.custom import Custom, Kind
from service.models import CustomDocument
from service.play.customs import kind_of
from service.play.opening import rules_of
from service.problems import Refusal
from service.work.tasks import Check

from .access import anybody, needs_key, viewer, whole_body
from .asked import NO_STORE, AnyGame, Asked
from .decoding import guard_json
from .games import replay_header
from .given import Given
from .operation import link, tells
from .paging import bad_cursor, read_cursor, write_cursor
from .parameters import Cursor, CustomId, IdempotencyKey, KindName, Limit, RulesetId
from .plain_schema import inlined
from .routes import get, post
from .rulesets import GIVEN, READING, offered_as
from .wire import CustomChecked, CustomKind, CustomKindList, CustomPage, CustomPosted, CustomShown

TAG = "customs"

Listed = Annotated[
    bool,
    QueryParameter(
        description="Put it into the list of its kind, for everybody to find; not undone."
    ),
]


class CustomContent(msgspec.Struct, frozen=True):
    """A document of the players' own, as it came."""


Content = SkipValidation[JSONBody[CustomContent]]


def as_it_came(_: Asked, body: bytes) -> Any:
    """Any JSON: who takes it judges it."""
    return guard_json(body)


CHECKED = msgspec.json.Decoder(CustomDocument)

_ID = re.compile(r"[0-9a-f]{64}")


def known_kind(asked: Asked) -> None:
    """Raises ``resource.not-found``; the rules are known from then on."""
    _kind(asked, asked.path_params["ruleset"], asked.path_params["kind"])


def _kind(asked: Asked, ruleset: str, kind: str) -> Custom[Any]:
    """The kind that the path names; raises ``resource.not-found``."""
    game = offered_as(asked, ruleset)
    asked.rules = rules_of(game, "")
    try:
        return kind_of(game, kind)
    except KeyError:
        raise Refusal("resource.not-found", "The ruleset takes no such documents.") from None


class Kinds(Controller):
    """What players may bring to games of a ruleset."""

    path = "/v1/rulesets/{ruleset:str}/customs"
    tags = (TAG,)
    dependencies = GIVEN

    @get(
        summary="List the kinds of documents",
        guards=[anybody()],
        opt=tells("The kinds.", "ETag", problems=READING),
    )
    async def list_custom_kinds(
        self, request: Asked, offered: Given[AnyGame], cache: Given[str]
    ) -> Response[CustomKindList]:
        """The documents that players may bring to games of the ruleset: scenarios, maps, decks.
        Each kind has a
        JSON Schema for editors and examples to start from.
        """
        kinds = tuple(_shown(offered, custom) for custom in offered.customs)
        return request.told(CustomKindList(items=kinds), tagged=True, cache=cache)

    @get(
        "/{kind:str}/schema",
        summary="Show the schema of a kind",
        guards=[anybody()],
        opt=tells("The schema.", "ETag", schema="JsonSchema", problems=READING),
    )
    async def get_custom_schema(
        self, request: Asked, ruleset: RulesetId, kind: KindName, cache: Given[str]
    ) -> Response[dict[str, Any]]:
        """The JSON Schema (2020-12) of a document, with a description of every field: give its
        address to your editor.
        """
        schema = inlined(_kind(request, ruleset, kind).schema)
        return request.told(schema, tagged=True, cache=cache)

    @post(
        "/{kind:str}/check",
        status_code=200,
        summary="Check a document",
        reads=as_it_came,
        guards=[viewer(known_kind, whole_body)],
        opt=tells(
            "It is good.", problems=("resource.not-found", "document.too-large", "document.faulty")
        ),
    )
    async def check_custom(
        self, request: Asked, ruleset: RulesetId, kind: KindName, data: Content
    ) -> Response[CustomChecked]:
        """Judges a document without keeping it: 200 with the id that it would have, or the problem
        that names every fault at once.
        """
        found = await _checked(request, ruleset, kind, data)
        assert request.rules is not None, "the guard knows the kind"
        body = CustomChecked(id=found.id, rules=request.rules, kind=kind, name=found.name)
        return request.told(body, cache=NO_STORE)

    @post(
        "/{kind:str}",
        summary="Post a document",
        reads=as_it_came,
        guards=[viewer(known_kind, needs_key, whole_body)],
        opt=tells(
            "It is kept.",
            "Location",
            "Idempotency-Replayed",
            problems=(
                "query.invalid",
                "resource.not-found",
                "document.too-large",
                "document.faulty",
            ),
            links=(
                link("getCustom", custom="#/id"),
                link("listCustoms", ruleset="#/ruleset", kind="#/kind"),
                link("getCustomSchema", ruleset="#/ruleset", kind="#/kind"),
            ),
        ),
    )
    async def create_custom(
        self,
        request: Asked,
        ruleset: RulesetId,
        kind: KindName,
        data: Content,
        key: IdempotencyKey,
        listed: Listed = False,
    ) -> Response[CustomPosted]:
        """Keeps a document that passes its check. The id is the document's own: SHA-256 over
        ruleset, kind and canonical content. Posting the same again changes nothing. Whoever knows
        the id may read it; it is in no list unless `listed` asks for that. Games name it by its id
        (`createGame`). It is kept for `limits.documentDays` days (`GET /v1`) after it was last
        posted or named by a new game, until `expiresAt`; a game has it for ever.
        """
        kept = await request.desk.writer.post_custom(
            await _checked(request, ruleset, kind, data),
            listed=listed,
            key=key,
            caller=request.caller,
        )
        headers = {"Location": f"/v1/customs/{kept.id}", **replay_header(kept.replayed)}
        return request.told(_posted(kept), status=201, headers=headers, cache=NO_STORE)

    @get(
        "/{kind:str}",
        summary="List the documents of a kind",
        guards=[viewer()],
        opt=tells("A page of documents.", "Link", problems=("query.invalid", "resource.not-found")),
    )
    async def list_customs(
        self,
        request: Asked,
        ruleset: RulesetId,
        kind: KindName,
        cursor: Cursor = "",
        limit: Limit = 50,
    ) -> Response[CustomPage]:
        """The documents that were posted to be listed, the latest post first."""
        name = _kind(request, ruleset, kind).kind
        found = await request.desk.writer.customs(
            ruleset, name, after=await _last_shown(request, ruleset, name, cursor), limit=limit + 1
        )
        page = tuple(_posted(each) for each in found[:limit])
        more = write_cursor(page[-1].id) if len(found) > limit else None
        return request.told(CustomPage(items=page, next=more), headers=request.next_link(more))


class Customs(Controller):
    """Documents by their ids."""

    path = "/v1/customs"
    tags = (TAG,)

    @get(
        "/{custom:str}",
        summary="Show a document",
        guards=[viewer()],
        opt=tells("The document.", "ETag", problems=("resource.not-found",)),
    )
    async def get_custom(self, request: Asked, custom: CustomId) -> Response[CustomShown]:
        """A posted document. The id is the document's own: SHA-256 over ruleset, kind and canonical
        content. What an id stands for never changes; `expiresAt` says when it goes.
        """
        found = await request.desk.writer.custom(custom) if _ID.fullmatch(custom) else None
        if found is None:
            raise Refusal("resource.not-found", "No document has been posted under that id.")
        return request.told(_with_content(found), tagged=True)


async def _checked(asked: Asked, ruleset: str, kind: str, document: Any) -> CustomDocument:
    """The document as it would be kept. Raises CustomRefused, Unfit."""
    sent = msgspec.Raw(msgspec.json.encode(document))
    return CHECKED.decode(await asked.work(Check(ruleset, kind, sent)))


def _shown(game: AnyGame, custom: Custom[Any]) -> CustomKind:
    path = f"/v1/rulesets/{game.ruleset}/customs/{custom.kind}"
    return CustomKind(
        kind=custom.kind,
        title=custom.title,
        text=custom.text,
        schema_path=f"{path}/schema",
        examples=custom.examples(),
    )


async def _last_shown(asked: Asked, ruleset: str, kind: Kind, cursor: str) -> str:
    """The document after which the list goes on; "" for its beginning. Raises ``query.invalid``."""
    id = read_cursor(cursor)
    last = await asked.desk.writer.custom(id) if id else None
    if id and (last is None or (last.ruleset, last.kind) != (ruleset, kind)):
        raise bad_cursor()
    return id


def _posted(kept: CustomDocument) -> CustomPosted:
    return CustomPosted(
        id=kept.id,
        ruleset=kept.ruleset,
        kind=kept.kind,
        name=kept.name,
        expires_at=kept.expires_at,
    )


def _with_content(found: CustomDocument) -> CustomShown:
    return CustomShown(
        id=found.id,
        ruleset=found.ruleset,
        kind=found.kind,
        name=found.name,
        expires_at=found.expires_at,
        document=found.document,
    )
