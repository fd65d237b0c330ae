"""Routes: Litestar's own, read once for what their handlers say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from inspect import cleandoc
from typing import Annotated, Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, KwargDefinition, ParameterKwarg, QueryParameter
from litestar.typing import FieldDefinition
from msgspec import UNSET, Meta, UnsetType

from service.models import Request as Body

from .operation import JSON, YAML, Answer, Operation, Schema, Tells

_BOUNDS = ("ge", "le", "min_length", "max_length", "pattern", "description")
_TYPED = re.compile(r":\w+\}")


class Route(HTTPRouteHandler):
    """A route whose guard gets the route itself: Litestar would copy it for every request."""

    async def authorize_connection(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        for guard in self.resolve_guards():
            await guard(connection, self)  # type: ignore[misc]

    @cached_property
    def operation(self) -> Operation:
        """What the handler says of itself. Once it is registered: types are known from then on."""
        (guard,) = self.resolve_guards()
        declared: Any = guard
        tells: Tells = self.opt["tells"]
        fields = dict(_fields(self.parsed_fn_signature.parameters, self.resolve_dependencies()))
        headers = _named(fields, HeaderParameter)
        (method,) = self.http_methods
        told = self.parsed_fn_signature.return_type.inner_types[0].annotation
        answers = (_success(self.status_code, told, tells), *tells.also)
        return Operation(
            id=camel(self.handler_name),
            method=str(method),
            path=_TYPED.sub("}", _address(self)),
            tag=self.resolve_tags()[0],
            summary=self.summary or "",
            description=unwrapped(self.fn.__doc__ or ""),
            access=declared.access,
            query=query_of(camel(self.handler_name), _named(fields, QueryParameter)),
            body=_asked(self.parsed_data_field),
            headers=tuple(headers),
            writes="Idempotency-Key" in headers,
            counted=declared.counted,
            answers=answers,
            media_types=tuple(dict.fromkeys(m for each in answers for m, _ in each.forms)),
            **vars(tells),
        )


get = partial(Route, http_method=HttpMethod.GET)
post = partial(Route, http_method=HttpMethod.POST)
delete = partial(Route, http_method=HttpMethod.DELETE)


def _address(route: Route) -> str:
    """As its controller and itself say it."""
    parts = [getattr(layer, "path", "") for layer in route.ownership_layers[1:-1]]
    return "".join((*parts, *route.paths)).replace("//", "/").rstrip("/") or "/"


def camel(name: str) -> str:
    """``give_command`` becomes ``giveCommand``."""
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def unwrapped(text: str) -> str:
    """A docstring as prose: one line for each paragraph."""
    return "\n\n".join(" ".join(part.split()) for part in cleandoc(text).split("\n\n"))


def _fields(
    given: Mapping[str, FieldDefinition], dependencies: Mapping[str, Provide]
) -> Iterator[tuple[str, FieldDefinition]]:
    """Every parameter of a handler, those of what it is given among them, in order."""
    for name, field in given.items():
        if name in dependencies:
            yield from _fields(dependencies[name].parsed_fn_signature.parameters, dependencies)
        else:
            yield name, field


def _named(
    fields: Mapping[str, FieldDefinition], kind: type[ParameterKwarg]
) -> dict[str, tuple[str, FieldDefinition]]:
    """Parameters of one kind: the name in the request to that in the signature, and its field."""
    return {
        field.kwarg_definition.name or name: (name, field)
        for name, field in fields.items()
        if isinstance(field.kwarg_definition, kind)
    }


def query_of(
    name: str, parameters: Mapping[str, tuple[str, FieldDefinition]]
) -> type[msgspec.Struct]:
    """The query as a struct, by which it is read strictly."""
    fields: list[Any] = []
    for own, field in parameters.values():
        default = field.default
        if default is None:
            fields.append((own, bounds(field) | UnsetType, UNSET))
        else:
            fields.append((own, bounds(field), default))
    names = {own: name for name, (own, _) in parameters.items()}
    return msgspec.defstruct(name, fields, frozen=True, rename=names)


def bounds(field: FieldDefinition) -> Any:
    """The type of a parameter with its bounds and words, as msgspec has them; without null."""
    annotation = field.annotation
    if field.is_optional:
        inner = [each.annotation for each in field.inner_types if not each.is_none_type]
        annotation = inner[0]
    said = field.kwarg_definition
    assert isinstance(said, KwargDefinition)
    given = {name: getattr(said, name) for name in _BOUNDS if getattr(said, name) is not None}
    return Annotated[annotation, Meta(**given)] if given else annotation


def _asked(field: FieldDefinition | None) -> Schema | None:
    """The body: a request of ours, or a component that rulesets make."""
    if field is None:
        return None
    kind: Any = field.annotation
    return kind if issubclass(kind, Body) else str(kind.__name__)


def _success(status: int, told: Any, tells: Tells) -> Answer:
    """What the operation answers when all is well."""
    schema = tells.schema or told
    structured = tells.schema or (isinstance(told, type) and issubclass(told, msgspec.Struct))
    forms = tuple(
        (media, schema if structured and media in (JSON, YAML) else None) for media in tells.media
    )
    return Answer(status, tells.meaning, forms if told is not type(None) else (), tells.carries)
