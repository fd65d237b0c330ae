"""A closed language of predicates: what may be asked of a position, an event and its dice.

It has no loops but over what is there, no names but those that it is given, no way to an attribute
of anything but plain JSON, and every step of it is counted: an expression can be wrong, but it
cannot reach anything or run for long. What stands nowhere is ``null``, and comparing what cannot be
compared is false, so one question fits games in which not everything exists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

LONGEST = 2_000
"""Characters of an expression."""
MOST_WORDS = 400
"""Words of it: what follows on each other nests when it is asked, so there is an end to it."""
DEEPEST = 40
"""How deep an expression may be nested."""
STEPS = 100_000
"""Steps of one evaluation: more is a question that asks too much of one moment."""
ALTOGETHER = 20_000_000
"""Steps of all evaluations of one game."""

Values = Mapping[str, Any]
Place = tuple[str, ...]
"""A path of names in the expression, such as ``state.units``."""


class Unclear(ValueError):
    """No expression of this language; the message says what, and ``at`` where."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


class TooMuch(Exception):
    """An evaluation takes more steps than one may."""


class Meter:
    """What is left to one game, and the places of the expression at which something stood."""

    __slots__ = ("found", "left")

    def __init__(self, found: set[Place] | None = None) -> None:
        self.left = ALTOGETHER
        self.found: set[Place] = set() if found is None else found


class Run:
    """One evaluation: the values of the names, and the steps that are left."""

    __slots__ = ("found", "left", "values")

    def __init__(self, values: Values, meter: Meter) -> None:
        self.values = dict(values)
        self.left = min(STEPS, meter.left)
        self.found = meter.found

    def step(self, cost: int = 1) -> None:
        self.left -= cost
        if self.left < 0:
            raise TooMuch


Evaluate = Callable[[Run], Any]


class Node(NamedTuple):
    """A part of an expression.

    path  the place that it names, where it names one by constants alone
    """

    value: Evaluate
    path: Place = ()


class Expression:
    """An expression, ready to be asked.

    names   of the values that it asks for
    places  that it names; of one at which nothing ever stood a reader should be told
    """

    def __init__(self, text: str, names: Sequence[str]) -> None:
        """Raises Unclear. ``names``: those that it may use."""
        parser = _Parser(text, names)
        self._node = parser.whole()
        self.text = text
        self.names = frozenset(parser.used)
        self.places = tuple(dict.fromkeys(parser.places))

    def ask(self, values: Values, meter: Meter | None = None) -> Any:
        """Its value. Raises TooMuch."""
        meter = meter or Meter()
        run = Run(values, meter)
        given = run.left
        try:
            return self._node.value(run)
        finally:
            meter.left -= given - max(run.left, 0)


# --- words ----------------------------------------------------------------------------------------

_WORD = re.compile(
    r"""\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<text>"[^"\\]*"|'[^'\\]*')|(?P<mark>==|!=|<=|>=|//|[-+*%<>.,()\[\]]))""",
    re.X | re.ASCII,
)
CONSTANTS: dict[str, Any] = {"true": True, "false": False, "null": None}
OPERATORS = ("and", "or", "not", "in")


class Word(NamedTuple):
    kind: str
    text: str
    at: int


def _words(text: str) -> Iterator[Word]:
    if len(text) > LONGEST:
        raise Unclear(f"It is longer than {LONGEST:,} characters.")
    at = 0
    end = len(text.rstrip())
    while at < end:
        found = _WORD.match(text, at)
        if found is None:
            raise Unclear(f"There is no such word: {text[at:].strip()[:12]!r}.", at)
        kind = str(found.lastgroup)
        word, at = found.group(kind), found.end()
        if kind == "number" and len(word) > 18:
            raise Unclear("A number has eighteen digits at most.", found.start(kind))
        yield Word(kind, word, found.start(kind))
    yield Word("end", "", end)


# --- what it does ---------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    """Equal, and of one kind: 1 is not true."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _less(one: Any, other: Any) -> bool:
    if _is_number(one) and _is_number(other):
        return bool(one < other)
    if isinstance(one, str) and isinstance(other, str):
        return one < other
    return False


def _ordered(one: Any, other: Any) -> bool:
    """Whether one is less than the other, or they are the same thing of a kind with an order."""
    comparable = _is_number(one) or isinstance(one, str)
    return _less(one, other) or (comparable and _same(one, other))


def _within(one: Any, other: Any) -> bool:
    """Whether it is an item of a list, a name of an object, a part of a text."""
    if isinstance(other, str):
        return isinstance(one, str) and one in other
    if isinstance(other, dict):
        return isinstance(one, str) and one in other
    return isinstance(other, list) and any(_same(one, each) for each in other)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": _same, "!=": lambda a, b: not _same(a, b), "<": _less, "<=": _ordered,
    ">": lambda a, b: _less(b, a), ">=": lambda a, b: _ordered(b, a), "in": _within,
    "not in": lambda a, b: not _within(a, b),
}  # fmt: skip

SUMS: dict[str, Callable[[int, int], int]] = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}
PRODUCTS: dict[str, Callable[[int, int], int | None]] = {
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else None,
    "%": lambda a, b: a % b if b else None,
}
BIGGEST = 1 << 256
"""Numbers beyond it are null: none that is asked about comes near, and none grows without end."""


def _reckoned(work: Callable[[int, int], int | None], one: Any, other: Any) -> int | None:
    if not (_is_number(one) and _is_number(other)):
        return None
    found = work(one, other)
    return None if found is None or abs(found) > BIGGEST else found


def _weight(value: Any) -> int:
    """What it costs to look at a value: its size, not counting what lies deeper."""
    return 1 + (len(value) // 8 if isinstance(value, (list, dict, str)) else 0)


def _weigh(run: Run, value: Any) -> None:
    """Pay for looking at all of a value: two that are compared are looked into to the bottom."""
    run.step(_weight(value))
    for _, item in items(value):
        _weigh(run, item)


def items(value: Any) -> list[tuple[Any, Any]]:
    """Key and item of whatever has some."""
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _part(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(key) if isinstance(key, str) else None
    if isinstance(value, list) and _is_number(key) and -len(value) <= key < len(value):
        return value[key]
    return None


# --- functions ------------------------------------------------------------------------------------


def _length(value: Any) -> int:
    return len(value) if isinstance(value, (list, dict, str)) else 0


def _numbers(values: Sequence[Any]) -> list[int]:
    return [each for each in values if _is_number(each)]


PLAIN: dict[str, tuple[int, Callable[..., Any]]] = {
    "len": (1, _length),
    "begins": (2, lambda a, b: isinstance(a, str) and isinstance(b, str) and a.startswith(b)),
    "keys": (1, lambda a: list(a) if isinstance(a, dict) else []),
    "values": (1, lambda a: [each for _, each in items(a)]),
}
"""Functions of values, with the number of them."""

OVER: dict[str, Callable[[list[Any]], Any]] = {
    "any": lambda found: any(each is True for each in found),
    "every": lambda found: all(each is True for each in found),
    "number": lambda found: sum(each is True for each in found),
    "sum": lambda found: sum(_numbers(found)),
    "most": lambda found: max(_numbers(found), default=None),
    "least": lambda found: min(_numbers(found), default=None),
}
"""Functions of a list or an object, and of what is asked of each ``it`` in it (``key``: its name or
number)."""

INNER = ("it", "key")


class _Parser:
    """By the order of operators: or, and, not, comparison, sum, product, minus, parts."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        self._words = list(_words(text))
        if len(self._words) > MOST_WORDS:
            raise Unclear(f"It has more than {MOST_WORDS} words.", self._words[MOST_WORDS].at)
        self._place = 0
        self._depth = 0
        self._names = frozenset(names)
        self._inner = 0
        self.used: set[str] = set()
        self.places: list[Place] = []

    @property
    def _next(self) -> Word:
        return self._words[self._place]

    def _is(self, *texts: str) -> bool:
        return self._next.kind in ("mark", "name") and self._next.text in texts

    def _take(self) -> Word:
        word = self._next
        self._place += word.kind != "end"
        return word

    def _need(self, text: str) -> None:
        if not self._is(text):
            raise Unclear(f"Here {text!r} is missing.", self._next.at)
        self._take()

    def whole(self) -> Node:
        node = self._any()
        if self._next.kind != "end":
            raise Unclear(f"It ends before {self._next.text!r}.", self._next.at)
        return node

    def _any(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unclear(f"It is nested more than {DEEPEST} deep.", self._next.at)
        node = self._either()
        self._depth -= 1
        return node

    def _either(self) -> Node:
        node = self._both()
        while self._is("or"):
            self._take()
            node = Node(_or(node.value, self._both().value))
        return node

    def _both(self) -> Node:
        node = self._not()
        while self._is("and"):
            self._take()
            node = Node(_and(node.value, self._not().value))
        return node

    def _not(self) -> Node:
        turns = 0
        while self._is("not"):
            self._take()
            turns += 1
        node = self._compared()
        return Node(_negated(node.value, odd=turns % 2 == 1)) if turns else node

    def _compared(self) -> Node:
        node = self._sum()
        if not self._is("==", "!=", "<", "<=", ">", ">=", "in", "not"):
            return node
        sign = self._take().text
        if sign == "not":
            self._need("in")
            sign = "not in"
        return Node(_comparing(COMPARISONS[sign], node.value, self._sum().value))

    def _sum(self) -> Node:
        node = self._product()
        while self._is(*SUMS):
            work = SUMS[self._take().text]
            node = Node(_reckoning(work, node.value, self._product().value))
        return node

    def _product(self) -> Node:
        node = self._signed()
        while self._is(*PRODUCTS):
            work = PRODUCTS[self._take().text]
            node = Node(_reckoning(work, node.value, self._signed().value))
        return node

    def _signed(self) -> Node:
        turns = 0
        while self._is("-"):
            self._take()
            turns += 1
        node = self._parts()
        if not turns:
            return node
        zero: Evaluate = lambda run: 0  # noqa: E731 a word
        minus = Node(_reckoning(SUMS["-"], zero, node.value))
        return minus if turns % 2 else Node(_reckoning(SUMS["+"], zero, node.value))

    def _parts(self) -> Node:
        node = self._atom()
        while self._is(".", "["):
            node = self._part_of(node)
        if len(node.path) > 1:
            self.places.append(node.path)
        return node

    def _part_of(self, node: Node) -> Node:
        if self._take().text == ".":
            word = self._take()
            if word.kind != "name":
                raise Unclear("A name is missing behind the dot.", word.at)
            return _at(node, word.text)
        constant = self._next
        key = self._any()
        self._need("]")
        if constant.kind == "text" and self._words[self._place - 2] is constant:
            return _at(node, constant.text[1:-1])
        return Node(_indexed(node.value, key.value))

    def _atom(self) -> Node:
        word = self._take()
        if word.kind == "number":
            return Node(_constant(int(word.text)))
        if word.kind == "text":
            return Node(_constant(word.text[1:-1]))
        if word.kind == "name" and word.text not in OPERATORS:
            return self._named(word)
        if word.text == "(":
            node = self._any()
            self._need(")")
            return Node(node.value)
        if word.text == "[":
            return Node(_listed(self._listing("]")))
        told = repr(word.text) if word.text else "its end"
        raise Unclear(f"A value is missing before {told}.", word.at)

    def _listing(self, end: str) -> list[Evaluate]:
        found: list[Evaluate] = []
        while not self._is(end):
            if found:
                self._need(",")
            found.append(self._any().value)
        self._take()
        return found

    def _named(self, word: Word) -> Node:
        if self._is("("):
            return self._called(word)
        if word.text in CONSTANTS:
            return Node(_constant(CONSTANTS[word.text]))
        known = self._names | (set(INNER) if self._inner else set())
        if word.text not in known:
            there = ", ".join(sorted(known))
            raise Unclear(f"There is no {word.text!r}; there are {there}.", word.at)
        self.used.add(word.text)
        path = () if word.text in INNER else (word.text,)
        return Node(_value(word.text), path)

    def _called(self, word: Word) -> Node:
        self._take()
        if word.text in OVER:
            whole = self._any().value
            self._need(",")
            self._inner += 1
            each = self._any().value
            self._inner -= 1
            self._need(")")
            return Node(_over(OVER[word.text], whole, each))
        given = self._listing(")")
        if word.text not in PLAIN:
            there = ", ".join(sorted((*PLAIN, *OVER)))
            raise Unclear(f"There is no function {word.text!r}; there are {there}.", word.at)
        count, work = PLAIN[word.text]
        if len(given) != count:
            raise Unclear(f"{word.text} takes {count} values.", word.at)
        return Node(_calling(work, given))


# --- what a part of an expression does ------------------------------------------------------------


def _constant(value: Any) -> Evaluate:
    def found(run: Run) -> Any:
        run.step()
        return value

    return found


def _value(name: str) -> Evaluate:
    def found(run: Run) -> Any:
        run.step()
        return run.values.get(name)

    return found


def _at(node: Node, name: str) -> Node:
    """A part by its name; that something stood there is kept."""
    path = (*node.path, name) if node.path else ()

    def found(run: Run) -> Any:
        run.step()
        value = node.value(run)
        if path and isinstance(value, dict) and name in value:
            run.found.add(path)
        return _part(value, name)

    return Node(found, path)


def _indexed(whole: Evaluate, key: Evaluate) -> Evaluate:
    def found(run: Run) -> Any:
        run.step()
        return _part(whole(run), key(run))

    return found


def _listed(parts: list[Evaluate]) -> Evaluate:
    def found(run: Run) -> Any:
        run.step(len(parts))
        return [part(run) for part in parts]

    return found


def _calling(work: Callable[..., Any], given: list[Evaluate]) -> Evaluate:
    def found(run: Run) -> Any:
        values = [each(run) for each in given]
        run.step(sum(map(_weight, values)))
        return work(*values)

    return found


def _over(work: Callable[[list[Any]], Any], whole: Evaluate, each: Evaluate) -> Evaluate:
    def found(run: Run) -> Any:
        results = []
        outer = {name: run.values.get(name) for name in INNER}
        for key, item in items(whole(run)):
            run.step(2)
            run.values.update(it=item, key=key)
            results.append(each(run))
        run.values.update(outer)
        return work(results)

    return found


def _comparing(work: Callable[[Any, Any], bool], one: Evaluate, other: Evaluate) -> Evaluate:
    def found(run: Run) -> Any:
        left, right = one(run), other(run)
        _weigh(run, left)
        _weigh(run, right)
        return work(left, right)

    return found


def _reckoning(work: Callable[[int, int], int | None], one: Evaluate, other: Evaluate) -> Evaluate:
    def found(run: Run) -> Any:
        run.step()
        return _reckoned(work, one(run), other(run))

    return found


def _or(one: Evaluate, other: Evaluate) -> Evaluate:
    return lambda run: one(run) is True or other(run) is True


def _and(one: Evaluate, other: Evaluate) -> Evaluate:
    return lambda run: one(run) is True and other(run) is True


def _negated(one: Evaluate, *, odd: bool) -> Evaluate:
    return lambda run: (one(run) is True) != odd
