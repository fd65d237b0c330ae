"""Bodies are decoded once and strictly: Litestar's own way takes "7" for 7, and names twice."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import msgspec
from litestar.dto import AbstractDTO
from litestar.dto.data_structures import DTOFieldDefinition
from litestar.openapi.spec import Reference, Schema
from litestar.typing import FieldDefinition

from .asked import Asked
from .decoding import decode_body


class Strict(AbstractDTO[Any]):
    """The one way in which ``data`` of every handler is read; Litestar leaves it alone then."""

    asgi_connection: Any

    def decode_bytes(self, value: bytes) -> Any:
        """Raises ``body.malformed``, ``body.invalid``."""
        return decode_body(self.decoder(self.asgi_connection), value)

    def decoder(self, asked: Asked) -> msgspec.json.Decoder[Any]:
        """Of the type that the handler says; made once."""
        route: Any = asked.route_handler
        if "decoder" not in route.opt:
            route.opt["decoder"] = msgspec.json.Decoder(route.parsed_data_field.annotation)
        found: msgspec.json.Decoder[Any] = route.opt["decoder"]
        return found

    @classmethod
    def create_for_field_definition(cls, *_: Any, **__: Any) -> None:
        """Nothing: there is no transfer model between."""

    @classmethod
    def create_openapi_schema(
        cls, field_definition: FieldDefinition, handler_id: str, schema_creator: Any
    ) -> Reference | Schema:
        found: Reference | Schema = schema_creator.for_field_definition(field_definition)
        return found

    @classmethod
    def generate_field_definitions(
        cls, model_type: Any
    ) -> Generator[DTOFieldDefinition, None, None]:
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        return False

    @classmethod
    def is_supported_model_type_field(cls, field_definition: FieldDefinition) -> bool:
        """Never: answers are encoded as they are."""
        return False


class Command(msgspec.Struct, frozen=True, tag_field="type"):
    """A command of some ruleset, by its `type`: each ruleset has its own."""


class CustomContent(msgspec.Struct, frozen=True):
    """A document of the players' own, as it came."""


class Untyped(Strict):
    """Any JSON: who takes it judges it."""

    ANYTHING: msgspec.json.Decoder[Any] = msgspec.json.Decoder()

    def decoder(self, asked: Asked) -> msgspec.json.Decoder[Any]:
        return self.ANYTHING
