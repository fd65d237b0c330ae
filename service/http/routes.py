"""Routes: Litestar's own, read once for what their handlers say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from inspect import cleandoc
from typing import Annotated, Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, KwargDefinition, ParameterKwarg, QueryParameter
from litestar.types import ExceptionHandlersMap
from litestar.typing import FieldDefinition
from msgspec import Meta

from service.models import Request as Body

from .operation import HEAD, JSON, YAML, Answer, Operation, Tells

_BOUNDS = ("ge", "le", "min_length", "max_length", "pattern", "description")
_TYPED = re.compile(r":\w+\}")


class Route(HTTPRouteHandler):
    """A route whose guard gets the route itself: Litestar would copy it for every request."""

    async def authorize_connection(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        for guard in self.resolve_guards():
            await guard(connection, self)  # type: ignore[misc]

    def resolve_exception_handlers(self) -> ExceptionHandlersMap:
        """Worked out once, as Litestar says of its own, which does it for every request."""
        return self._catching

    @cached_property
    def _catching(self) -> ExceptionHandlersMap:
        return super().resolve_exception_handlers()

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[Any]:
        """Of its body, as the handler says."""
        assert self.parsed_data_field is not None, "the handler takes data"
        return msgspec.json.Decoder(self.parsed_data_field.annotation)

    @cached_property
    def operation(self) -> Operation:
        """What the handler says of itself. Once it is registered: types are known from then on."""
        (guard,) = self.resolve_guards()
        declared: Any = guard
        tells: Tells = self.opt["tells"]
        (method,) = self.http_methods
        layers = [getattr(layer, "path", "") for layer in self.ownership_layers[1:-1]]
        path = "".join((*layers, *self.paths)).replace("//", "/").rstrip("/")
        if "/{game:str}" in path:
            tells = replace(tells, carries=(*tells.carries, HEAD))
        data = self.parsed_data_field
        told = self.parsed_fn_signature.return_type.inner_types[0].annotation
        return Operation(
            id=camel(self.handler_name),
            method=str(method),
            path=_TYPED.sub("}", path) or "/",
            tag=self.resolve_tags()[0],
            summary=self.summary or "",
            description=unwrapped(self.fn.__doc__ or ""),
            access=declared.access,
            query={name: bounds(each) for name, each in self._named(QueryParameter).items()},
            body=None if data is None else _body(data.annotation),
            headers=tuple(self._named(HeaderParameter)),
            counted=declared.counted,
            answers=(_success(self.status_code, told, tells), *tells.also),
            **vars(tells),
        )

    def _named(self, kind: type[ParameterKwarg]) -> dict[str, FieldDefinition]:
        """Parameters of one kind, by their names in a request."""
        fields = _fields(self.parsed_fn_signature.parameters, self.resolve_dependencies())
        return {
            field.kwarg_definition.name or name: field
            for name, field in fields
            if isinstance(field.kwarg_definition, kind)
        }


get = partial(Route, http_method=HttpMethod.GET)
post = partial(Route, http_method=HttpMethod.POST)
delete = partial(Route, http_method=HttpMethod.DELETE)


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


def bounds(field: FieldDefinition) -> Any:
    """The type of a parameter with its bounds and words, as msgspec has them; without null."""
    annotation, said = field.annotation, field.kwarg_definition
    assert isinstance(said, KwargDefinition)
    if field.is_optional:
        (annotation,) = (e.annotation for e in field.inner_types if not e.is_none_type)
    given = {name: getattr(said, name) for name in _BOUNDS if getattr(said, name) is not None}
    return Annotated[annotation, Meta(**given)]


def _body(kind: Any) -> type[msgspec.Struct] | str:
    """A request of ours, or the name of a component that rulesets make."""
    return kind if issubclass(kind, Body) else str(kind.__name__)


def _success(status: int, told: Any, tells: Tells) -> Answer:
    """What the operation answers when all is well."""
    schema = tells.schema or told
    structured = tells.schema or (isinstance(told, type) and issubclass(told, msgspec.Struct))
    forms = tuple(
        (media, schema if structured and media in (JSON, YAML) else None) for media in tells.media
    )
    return Answer(status, tells.meaning, forms if told is not type(None) else (), tells.carries)
