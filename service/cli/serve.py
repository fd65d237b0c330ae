"""``decklog serve``: run the service."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from .config import checked
from .given import gathered, given, settings_options
from .tools import Tools, json_option


@click.command("serve")
@click.option("--host", help="Address to listen on; 127.0.0.1 unless DECKLOG_HOST says otherwise.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 8000 by default, 0: a free one.")
@settings_options
@click.option("--public-url", metavar="URL", help="Address under which clients see the service.")
@click.option(
    "--log-level", type=click.Choice(["DEBUG", "INFO", "WARNING", "ERROR"], case_sensitive=False)
)
@click.option("--check", is_flag=True, help="The same as decklog config check: nothing is started.")
@json_option
@click.pass_obj
def command(
    tools: Tools,
    host: str | None,
    port: int | None,
    config: Path | None,
    database: Path | None,
    public_url: str | None,
    log_level: str | None,
    check: bool,
    as_json: bool,
) -> int:
    """Run the service until Ctrl-C.

    Says its address, that of its documentation, and a curl line that works; with --json as one JSON
    line. Every setting is also an environment variable: DECKLOG_PORT, DECKLOG_DATABASE, ...
    Unsafe settings are refused; --check names them, and what the store says, without serving. A
    hang-up (SIGHUP) has limits and log level read again.
    """
    over = {
        "host": host, "port": port, "database": database, "public_url": public_url,
        "log_level": log_level.upper() if log_level else None,
    }  # fmt: skip
    if check:
        return checked(gathered(config, **over), tools, as_json=as_json)
    from service.serve import run

    say = JsonGreeting().line if as_json else _line
    settings = given(config, **over)
    return run(settings, tools.games, say=say, again=lambda: gathered(config, **over))


def _line(text: str) -> None:
    click.echo(text)


class JsonGreeting:
    """Gathers the greeting's lines; the address is the last word of the first one."""

    def __init__(self) -> None:
        self._url = ""

    def line(self, text: str) -> None:
        if self._url:
            return
        self._url = text.rsplit(maxsplit=1)[-1]
        told = {
            "url": self._url,
            "docs": f"{self._url}/docs",
            "rulesets": f"{self._url}/v1/rulesets",
        }
        click.echo(msgspec.json.encode(told))
