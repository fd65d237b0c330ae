"""Rows that share statements have the effect that they would have had one by one."""

from __future__ import annotations

import sqlite3

from service.store.bulk import WIDTHS, Statement, combined, widened

ADD = "INSERT INTO games (game, version) VALUES (?,?)"
CHANGE = (
    "UPDATE games SET version = new.column2 FROM (VALUES (?,?)) AS new WHERE game = new.column1"
)
LIST = "UPDATE games SET version = version + 1 WHERE game = ?"


def effect(statements: list[Statement], *, together: bool) -> list[tuple[str, int]]:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE games (game TEXT PRIMARY KEY, version INTEGER)")
        for sql, parameters in combined(statements) if together else statements:
            connection.execute(sql, parameters)
        return connection.execute("SELECT game, version FROM games ORDER BY game").fetchall()


def test_the_effect_is_the_same() -> None:
    statements: list[Statement] = []
    for number in range(WIDTHS[0] * 2 + WIDTHS[1] + 3):
        name = f"game-{number:03}"
        statements += [(ADD, (name, 1)), (CHANGE, (name, 2)), (CHANGE, (name, 3 + number))]
    statements.append((LIST, ("game-000",)))
    found = effect(statements, together=True)
    assert found == effect(statements, together=False)
    assert found[0] == ("game-000", 4)


def test_few_statements_for_many_rows() -> None:
    rows = [(str(number), number) for number in range(150)]
    made = list(widened(ADD, rows))
    assert [len(parameters) // 2 for _, parameters in made] == [64, 64, 16, 4, 2]
    assert sum((parameters for _, parameters in made), ()) == sum(rows, ())
