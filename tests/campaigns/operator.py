"""The operator's day, item by item, on real servers: python -m tests.campaigns.operator [ITEM ...].

    check      a store of every format is looked at, and stays as it is to the last byte
    settings   all that is wrong is named at once; a file; a value out of its range
    migrate    no worker migrates; an operator does, and the game goes on to be shown
    reload     a hang-up changes limits while games are played, and none of them notices
    told       start and stop are in the log, for machines, with no token in it
    failover   the check says whether what was answered outlives the server, with a real standby
    hang       PostgreSQL stands still: what a request costs until it is told so
    archive    a finished game leaves the table of events beside two workers, and is read at both
    refused    a finished game that is not upheld stays and is named; the others go
    lost       store and archive are lost, and come back out of a backup and a copy of the folder
    log        an act that is changed in the operator's log afterwards is named
    update     two workers of an older commit behind nginx are replaced one by one while games are
               played: not one request fails
    cells      two cells behind nginx as SCALING.md has it, one down and back
    pooler     two workers behind a real PgBouncer, by the session and by the transaction
    drain      one of two workers takes nothing new while the other plays on, and comes back
    keys       another key while games are played, without a restart
    page       the operator's page does what the command line does, for nobody without the token
    backup     a copy is made beside play, checked, restored, served and played on
    offsite    Litestream copies the file as it grows; server and all are killed, and it comes back
    alerts     the shipped rules in a real Prometheus: a fault, what fires, and that it resolves

Prints a line for each thing that was shown, or that could not be for want of a program (PgBouncer,
nginx, Litestream and Prometheus, found on the path or named by DECKLOG_TEST_PGBOUNCER and so on).
Exit code 1 when something is not as it should be.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import yaml

from service.cli import main as cli
from service.store.schema import FORMAT
from tests.campaigns.deploy import fronted, proxied
from tests.deploy.files import DEPLOY
from tests.deploy.test_cells import configuration, down_and_back
from tests.service.cli.test_admin_page import act, entered, page_of
from tests.service.ops.play import Played, create, key, play
from tests.support import postgres
from tests.support.bucket import BucketServer, bucket
from tests.support.old_store import kept, unpack
from tests.support.pennant import GAME
from tests.support.postgres import PostgresServer, Standby
from tests.support.redis import free_port
from tests.support.server import ROOT, Running, start

PATIENCE = 180.0
"""Seconds in which an alert fires or resolves: the longest that is tried waits for one minute."""

HANGING = 5
"""Seconds that the service is given for a question to its store: the default."""

Item = Callable[[Path], Iterator[str]]


def decklog(*words: object, **environ: str) -> subprocess.CompletedProcess[str]:
    """A command of the command line, in a process of its own."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("DECKLOG_")}
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *map(str, words)],
        cwd=ROOT, env=clean | environ, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip


def until(holds: Callable[[], Any], seconds: float = 30.0) -> float:
    """Wait for it; how long it took. Raises AssertionError."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() < begun + seconds, "it did not come about in time"
        time.sleep(0.05)
    return time.monotonic() - begun


def digest(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir()}


@contextmanager
def served(folder: Path, **settings: Any) -> Iterator[Running]:
    """A worker that is stopped at the end, however it ends."""
    server = start(folder, "pennant", **{"chain_length": 64, **settings})
    try:
        yield server
    finally:
        server.kill()


# The items


def check(folder: Path) -> Iterator[str]:
    for dump in kept():
        place = folder / dump.stem
        place.mkdir()
        unpack(dump, place)
        before = digest(place)
        done = decklog("config", "check", "--database", place / "decklog.sqlite")
        assert digest(place) == before, "it was changed"
        older = not dump.stem.endswith(f"-{FORMAT}")
        assert done.returncode == (2 if older else 0), done.stderr
        assert ("decklog store migrate" in done.stderr) == older
        yield f"{dump.stem} was looked at, exit code {done.returncode}, not a byte has changed"


def settings(folder: Path) -> Iterator[str]:
    wrong = {"DECKLOG_RATE_LIMIT": "-5", "DECKLOG_PORT": "many", "DECKLOG_KEY": "short"}
    done = decklog("config", "check", "--database", folder / "x.sqlite", **wrong)
    assert done.returncode == 2
    assert [name for name in wrong if name not in done.stderr] == []
    yield f"{len(wrong)} wrong settings are named at once: {', '.join(wrong)}"
    file = folder / "decklog.toml"
    file.write_text("rate_limt = 5\n")
    done = decklog("serve", "--config", file, "--database", folder / "x.sqlite")
    assert (done.returncode, "rate_limt" in done.stderr) == (2, True)
    yield "an unknown key of a file is refused at the start"
    file.write_text("stream_limit = 5\n")
    rows = json.loads(decklog("config", "--json", "--config", file).stdout)
    (row,) = [each for each in rows if each["name"] == "stream_limit"]
    assert (row["value"], row["from"]) == ("5", str(file))
    yield f"each of {len(rows)} settings is shown with where it came from"


def migrate(folder: Path) -> Iterator[str]:
    game = unpack(kept()[0], folder)
    database = folder / "decklog.sqlite"
    refused = decklog("serve", "--port", 0, "--database", database)
    assert (refused.returncode, "store.older-format" in refused.stderr) == (2, True)
    yield "a worker refuses the store of format 1 and leaves it alone"
    before = digest(folder)
    assert decklog("store", "migrate", "--dry-run", "--database", database).returncode == 0
    assert digest(folder).items() >= {n: s for n, s in before.items() if "lock" not in n}.items()
    done = decklog("store", "migrate", "--database", database)
    assert done.returncode == 0, done.stderr
    with served(folder) as server:
        shown = httpx.get(server.url + game.path).json()
        assert shown["version"] == max(game.done.values())
    yield f"decklog store migrate: {done.stdout.splitlines()[0]}; its game is shown as it was"


def reload(folder: Path) -> Iterator[str]:
    file = folder / "decklog.toml"
    file.write_text("stream_limit = 4\n")
    with served(folder, config=file) as server, httpx.Client(base_url=server.url) as client:
        game = create(client, "pennant", options={"turns": 100})
        for number in range(5, 10):
            play(client, game, 5, seed=str(number))
            file.write_text(f"stream_limit = {number}\n")
            server.process.send_signal(signal.SIGHUP)
            until(lambda n=number: limits(client)["streams"] == n)  # type: ignore[misc]
        file.write_text("stream_limit = 0\n")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: any("the settings stay as they are" in line for line in server.lines))
        assert limits(client)["streams"] == 9
        assert server.stop() == 0
    yield f"5 hang-ups under {len(game.done)} commands, none refused; a wrong value changed nothing"


def limits(client: httpx.Client) -> dict[str, int]:
    found: dict[str, int] = client.get("/v1").json()["limits"]
    return found


def told(folder: Path) -> Iterator[str]:
    with served(folder, log="json") as server:
        with httpx.Client(base_url=server.url) as client:
            game = create(client, "pennant")
            play(client, game, 5)
        assert server.stop() == 0
    lines = [json.loads(line) for line in server.lines if line.startswith("{")]
    events = [each["event"] for each in lines if "event" in each]
    wanted = {"program", "store", "format", "settings", "redis", "games", "stopping", "stopped"}
    assert wanted <= {*events}, events
    said = "\n".join(server.lines)
    assert not [token for token in (*game.tokens.values(), game.organiser) if token in said]
    yield f"lines of operation, of {', '.join(events)}; no token in {len(lines)} lines"


def failover(folder: Path) -> Iterator[str]:
    with postgres.server() as primary:
        with served(folder, store=primary.address, key=postgres.KEY) as server:
            server.stop()
        environ = {"DECKLOG_STORE": primary.address, "DECKLOG_KEY": postgres.KEY}
        yield verdict_of("failover", environ)
        standby = Standby(primary)
        try:
            state = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = "
            until(lambda: asked(primary, state + "'async'") == "1")
            yield verdict_of("failover", environ)
            asked(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
            asked(primary, "SELECT pg_reload_conf()")
            until(lambda: asked(primary, state + "'sync'") == "1")
            said = verdict_of("failover", environ)
            assert said.startswith("failover: ok"), said
            yield said
        finally:
            standby.stop()


def asked(server: PostgresServer, sql: str) -> str:
    import psycopg

    with psycopg.connect(server.address, autocommit=True) as connection:
        cursor = connection.execute(sql.encode())
        row = cursor.fetchone() if cursor.description else None
    return str(row[0]) if row else ""


def verdict_of(part: str, environ: dict[str, str]) -> str:
    found = json.loads(decklog("config", "check", "--json", **environ).stdout)["findings"]
    (each,) = [each for each in found if each["part"] == part]
    return f"{part}: {each['verdict']}, {each['text']}"


def hang(folder: Path) -> Iterator[str]:
    with (
        postgres.server() as database,
        served(folder, store=database.address, key=postgres.KEY) as server,
        httpx.Client(base_url=server.url, timeout=90) as client,
    ):
        game = create(client, "pennant", options={"turns": 100})
        play(client, game, 3)
        costs = []
        with database.hanging():
            for method, path in (("GET", "/v1/games"), ("POST", "/v1/games"), ("GET", game.path)):
                body = {"ruleset": "pennant"} if method == "POST" else None
                begun = time.monotonic()
                answer = client.request(method, path, json=body, headers=key())
                costs.append(time.monotonic() - begun)
                assert answer.status_code in (200, 503), answer.text
        assert max(costs) < 1.5 * HANGING, costs
        back = until(lambda: client.get("/readyz").status_code == 200)
        play(client, game, 3)
    spent = ", ".join(f"{each:.1f}" for each in costs)
    yield f"while PostgreSQL stood still requests took {spent} s; {back:.1f} s later it was ready"


def program(name: str) -> str | None:
    named = os.environ.get(f"DECKLOG_TEST_{name.upper()}", "")
    return named or shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/bin")


def archive(folder: Path) -> Iterator[str]:
    place_of_files = folder / "archive"
    with postgres.running() as address, ExitStack() as stack:
        given = {"store": address, "key": postgres.KEY, "archive": str(place_of_files)}
        workers = []
        for number in range(2):
            place = folder / str(number)
            place.mkdir()
            workers.append(stack.enter_context(served(place, **given)))
        clients = [stack.enter_context(httpx.Client(base_url=w.url, timeout=30)) for w in workers]
        game = create(clients[0], "pennant")
        assert play(clients[0], game, 200)
        create(clients[1], "pennant")
        paths = [game.path, *(f"{game.path}/{end}" for end in ("events", "view?at=3", "evidence"))]
        before = [clients[0].get(path).content for path in paths]
        environ = {f"DECKLOG_{name.upper()}": value for name, value in given.items()}
        signed = ["--by", "harbour", "--why", "room"]
        with changed(environ), redirect_stdout(StringIO()):
            for words in (["archive", "--days", "0", *signed], ["check"]):
                assert cli(["store", *words], {"pennant": GAME}) == 0
        workers.append(stack.enter_context(served(folder, **given)))
        late = stack.enter_context(httpx.Client(base_url=workers[-1].url, timeout=30))
        for client in (*clients, late):
            assert [client.get(path).content for path in paths] == before
        (file,) = place_of_files.rglob("*.zip.gz")
        yield f"{game.id} is a file of {file.stat().st_size} bytes, and read by three workers"


@contextmanager
def changed(environ: dict[str, str]) -> Iterator[None]:
    """With these in the environment of this process."""
    before = dict(os.environ)
    os.environ.update(environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def refused(folder: Path) -> Iterator[str]:
    given = {"database": folder / "decklog.sqlite", "archive": folder / "archive"}
    environ = {f"DECKLOG_{name.upper()}": str(value) for name, value in given.items()}
    with served(folder, archive=given["archive"]) as server:
        with httpx.Client(base_url=server.url, timeout=30) as client:
            games = [create(client, "pennant") for _ in range(2)]
            assert [play(client, game, 200) for game in games] == [True, True]
            create(client, "pennant")  # the newest event of all stays
        server.stop()
    with closing(sqlite3.connect(given["database"])) as connection, connection:
        asked = "UPDATE commands SET command = ? WHERE game = ?"
        connection.execute(asked, (b'{"type":"pennant.pass"}', games[0].id))
    signed = ["--by", "harbour", "--why", "room"]
    with changed(environ), redirect_stdout(said := StringIO()):
        assert cli(["store", "archive", "--days", "0", *signed], {"pennant": GAME}) == 1
    assert f"game {games[0].id} stays: " in said.getvalue()
    assert "1 games are in the archive" in said.getvalue()
    yield said.getvalue().splitlines()[0][:100]


def lost(folder: Path) -> Iterator[str]:
    database, place, copies = (folder / name for name in ("decklog.sqlite", "archive", "copies"))
    environ = {"DECKLOG_DATABASE": str(database), "DECKLOG_ARCHIVE": str(place)}
    with served(folder, archive=place) as server, httpx.Client(base_url=server.url) as client:
        games = [create(client, "pennant") for _ in range(2)]
        assert [play(client, game, 200) for game in games] == [True, True]
        going = create(client, "pennant")
        before = [client.get(f"{game.path}/evidence").content for game in games]
        server.stop()
    with changed(environ), redirect_stdout(StringIO()):
        words = ["archive", "--days", "0", "--by", "harbour", "--why", "room"]
        assert cli(["store", *words], {"pennant": GAME}) == 0
        yield backed_up(database, copies)
    shutil.copytree(place, folder / "away")
    shutil.copy(f"{database}.key", folder / "safe.key")
    drilled = decklog("backup", "drill", copies, "--database", database, **environ)
    assert drilled.returncode == 0, drilled.stdout + drilled.stderr
    yield drilled.stdout.splitlines()[-1]
    shutil.rmtree(place)
    for file in folder.glob("decklog.sqlite*"):
        file.unlink()
    begun = time.monotonic()
    (copy,) = copies.glob("decklog-*.sqlite")
    line = [sys.executable, str(DEPLOY / "backup.py"), "restore", str(copy), str(database)]
    subprocess.run(line, check=True, capture_output=True, cwd=ROOT, timeout=120)
    shutil.copy(folder / "safe.key", f"{database}.key")
    alone = decklog("serve", "--port", 0, **environ)
    assert (alone.returncode, "store.no-archive" in alone.stderr) == (2, True), alone.stderr
    yield "without the folder it does not start: store.no-archive"
    shutil.copytree(folder / "away", place)
    with served(folder, archive=place) as server, httpx.Client(base_url=server.url) as client:
        took = time.monotonic() - begun
        assert [client.get(f"{game.path}/evidence").content for game in games] == before
        play(client, going, 5)
        server.stop()
    whole = decklog("store", "check", **environ)
    assert whole.returncode == 0, whole.stdout
    yield f"restored, started and read as before in {took:.1f} s, play goes on"
    next(place.rglob(f"{games[0].id}.*")).unlink()
    checked = decklog("store", "check", "--json", **environ)
    damaged = [each["game"] for each in json.loads(checked.stdout)["damaged"]]
    assert (checked.returncode, damaged) == (1, [games[0].id])
    yield "where one file is missing that game is named, and no other"


def backed_up(database: Path, copies: Path) -> str:
    """What the program of the backups says of what is not in its copy."""
    line = [sys.executable, str(DEPLOY / "backup.py"), "sqlite", str(database), str(copies)]
    done = subprocess.run(line, capture_output=True, text=True, check=True, cwd=ROOT, timeout=120)
    (said,) = [each for each in done.stdout.splitlines() if "not in it are" in each]
    return said


def log(folder: Path) -> Iterator[str]:
    signed = ("--by", "harbour", "--why", "was asked")
    with served(folder) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        game, where = create(client, "pennant"), ("--database", server.database)
        for words in (("freeze", game.id), ("thaw", game.id), ("person", "export", game.id, "p1")):
            done = decklog("admin", *words, *signed, *where)
            assert done.returncode == 0, done.stderr
        until(lambda: any("the operator's log has 3 acts, head " in line for line in server.lines))
        (head,) = [line.rpartition(" ")[2] for line in server.lines if " has 3 acts, head " in line]
        whole = decklog("store", "check", *where)
        assert (whole.returncode, f"3 linked acts, head {head}." in whole.stdout) == (0, True)
        server.stop()
    with closing(sqlite3.connect(server.database)) as connection, connection:
        connection.execute("UPDATE acts SET operator = 'nobody' WHERE act = 'person-export'")
    found = decklog("store", "check", *where)
    assert found.returncode == 1, found.stdout
    (said,) = [line for line in found.stdout.splitlines() if line.startswith("operator's log: ")]
    yield said


def kill(workers: list[Running]) -> None:
    for worker in workers:
        worker.kill()


def cells(folder: Path) -> Iterator[str]:
    found = program("nginx")
    if found is None:
        yield "nginx is not installed here: not shown"
        return

    def front(places: dict[str, str]) -> AbstractContextManager[str]:
        seconds = {name.replace("1:", "2:"): address for name, address in places.items()}
        return fronted(found, folder, configuration(), places | seconds)

    for servers in (1, 2):
        down_and_back(folder, servers, front)
        yield f"{servers} PostgreSQL: one cell was down twice and said 503, the other one played on"


OLDER = 200
"""Commits that an older worker lies behind, or as many as the clone has."""


def update(folder: Path) -> Iterator[str]:
    found = program("nginx")
    if found is None:
        yield "nginx is not installed here: not shown"
        return
    commit, old = older(folder / "old")
    with ExitStack() as stack:
        address = stack.enter_context(postgres.running())
        told: dict[str, Any] = {
            "store": address, "key": postgres.KEY, "chain_length": 512, "drain_seconds": 2,
            "proxies": "127.0.0.1", "parallel_limit": 0,
        }  # fmt: skip
        ports = [free_port() for _ in range(2)]
        workers = [start(folder, "pennant", tree=old, port=port, **told) for port in ports]
        stack.callback(lambda: kill(workers))
        url = stack.enter_context(proxied(found, folder, workers))
        client = stack.enter_context(httpx.Client(base_url=url, verify=False, timeout=30))
        playing = Playing(client)
        for number, port in enumerate(ports):
            playing.until(30)
            assert workers[number].stop() == 0
            workers[number] = start(folder, "pennant", port=port, **told)
        done = playing.end(30)
    assert playing.failed == [], playing.failed
    yield f"from {commit} to this commit, {done} commands meanwhile: none failed"


def older(place: Path) -> tuple[str, Path]:
    """The source of an older commit whose stores are of our format."""
    git = ["git", "-C", str(ROOT)]
    line = [*git, "rev-list", f"--max-count={OLDER}", "HEAD"]
    commits = subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()
    place.mkdir()
    packed = subprocess.run([*git, "archive", commits[-1]], capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(place)], input=packed, check=True)
    return f"{commits[-1][:12]} ({len(commits)} commits ago)", place


class Playing:
    """Games that are played by somebody else, all the time."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._games: list[Played] = []
        self._over = threading.Event()
        self.failed: list[str] = []
        self._player = threading.Thread(target=self._play, daemon=True)
        self._player.start()

    @property
    def commands(self) -> int:
        return sum(len(game.done) for game in self._games)

    def _play(self) -> None:
        number = 0
        while not self._over.is_set() and not self.failed:
            number += 1
            try:
                if len(self._games) < 2 or number % 50 == 0:
                    options = {"turns": 100}
                    self._games.append(create(self._client, "pennant", options=options))
                for game in self._games[-2:]:
                    play(self._client, game, 1, seed=str(number))
            except Exception as error:
                self.failed.append(f"{type(error).__name__}: {error}")

    def until(self, commands: int) -> None:
        """Until there are so many more."""
        wanted = self.commands + commands
        until(lambda: self.failed or self.commands >= wanted, PATIENCE)

    def end(self, commands: int) -> int:
        """After so many more; how many there were in all."""
        self.until(commands)
        self._over.set()
        self._player.join(60)
        return self.commands


def pooler(folder: Path) -> Iterator[str]:
    found = program("pgbouncer")
    if found is None:
        yield "PgBouncer is not installed here: not shown"
        return
    for mode in ("session", "transaction"):
        place = folder / mode
        place.mkdir()
        with postgres.server() as database, bouncing(found, database, mode) as address:
            environ = {"DECKLOG_STORE": address, "DECKLOG_KEY": postgres.KEY}
            count = play_at_two(place, address)
            said = verdict_of("pooler", environ)
            yield f"{mode} pooling: {count} commands at two workers, {said}"


def play_at_two(folder: Path, address: str) -> int:
    """One game of two workers in turn, to be seen at both; how many commands it took."""
    with ExitStack() as stack:
        workers = []
        for number in range(2):
            place = folder / str(number)
            place.mkdir()
            workers.append(stack.enter_context(served(place, store=address, key=postgres.KEY)))
        clients = [stack.enter_context(httpx.Client(base_url=w.url, timeout=30)) for w in workers]
        game: Played = create(clients[0], "pennant", options={"turns": 100})
        for number in range(20):
            play(clients[number % 2], game, 2, seed=str(number))
        versions = {client.get(game.path).json()["version"] for client in clients}
        assert versions == {max(game.done.values())}
        leads = [following(client) for client in clients]
        assert sorted(leads) == [0.0, 1.0], leads
        for client in clients:
            listed = client.get("/v1/games").json()
            assert game.id in json.dumps(listed), listed
        assert [worker.stop() for worker in workers] == [0, 0]
    return len(game.done)


def following(client: httpx.Client) -> float:
    lines = client.get("/metrics").text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("decklog_following "))


@contextmanager
def bouncing(found: str, database: PostgresServer, mode: str) -> Iterator[str]:
    """PgBouncer before the server, with a few connections for many; its address."""
    user = database._server.system_user or ""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="decklog-bouncer-") as name:
        folder = Path(name)
        where = database.address.partition("host=")[2].partition("&")[0]
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\npostgres = host={where} user=postgres\n[pgbouncer]\n"
            f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
            f"auth_type = any\npool_mode = {mode}\n"
            f"default_pool_size = {3 if mode == 'transaction' else 20}\n"
            "max_client_conn = 100\n",
            "ascii",
        )
        folder.chmod(0o755)
        line = [found, "--quiet", *(["--user", user] if user else []), f"{folder}/pgbouncer.ini"]
        process = subprocess.Popen(line, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        address = f"postgresql://postgres@127.0.0.1:{port}/postgres"
        try:
            until(lambda: reached(address))
            yield address
        finally:
            process.terminate()
            process.wait(20)


def reached(address: str) -> bool:
    import psycopg

    try:
        psycopg.connect(address, connect_timeout=2).close()
    except psycopg.Error:
        return False
    return True


SIGNED = ("--by", "harbour master", "--why", "the operator's day")


def drain(folder: Path) -> Iterator[str]:
    with ExitStack() as stack:
        database = stack.enter_context(postgres.server())
        environ = {"DECKLOG_STORE": database.address, "DECKLOG_KEY": postgres.KEY}
        clients = []
        for name in ("one", "two"):
            place = folder / name
            place.mkdir()
            worker = served(place, store=database.address, key=postgres.KEY, worker=name)
            url = stack.enter_context(worker).url
            clients.append(stack.enter_context(httpx.Client(base_url=url, timeout=30)))
        first, second = clients
        game = create(second, "pennant", options={"turns": 100})
        done = decklog("admin", "drain", "--worker", "one", *SIGNED, **environ)
        assert done.returncode == 0, done.stderr
        took = until(lambda: first.get("/readyz").status_code == 503)
        assert first.get(game.path).json()["code"] == "service.stopping"
        play(second, game, 20)
        assert decklog("admin", "undrain", *SIGNED, **environ).returncode == 0
        back = until(lambda: first.get("/readyz").status_code == 200)
        play(first, game, 10, seed="back")
    yield (
        f"worker one was drained after {took:.1f} s, two took {len(game.done)} commands with it, "
        f"and one was back after {back:.1f} s"
    )


def keys(folder: Path) -> Iterator[str]:
    with served(folder) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        where = ("--database", server.database)
        game = create(client, "pennant", options={"turns": 100})
        for number in range(3):
            done = decklog("admin", "rotate", *SIGNED, *where)
            assert "Every worker has taken it" in done.stdout, done.stdout + done.stderr
            play(client, game, 10, seed=str(number))
        took = until(lambda: former(server.database) == 0)
        done = decklog("admin", "rotate", "--drop", *SIGNED, *where)
        assert done.returncode == 0, done.stderr
        play(client, game, 10, seed="last")
        assert server.stop() == 0
    whole = decklog("store", "check", *where)
    assert whole.returncode == 0, whole.stdout
    yield (
        f"3 new keys under {len(game.done)} commands, no restart; {took:.1f} s after the last one "
        "nothing was under the old ones, which went"
    )


def former(database: Path) -> int:
    told = json.loads(decklog("admin", "keys", "--json", "--database", database).stdout)
    first = told["keys"][0]
    return sum(n for each in told["sealed"].values() for name, n in each.items() if name != first)


def page(folder: Path) -> Iterator[str]:
    token = folder / "operator.token"
    with served(folder) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        game = create(client, "pennant")
        with page_of(server.database, token) as (url, said), httpx.Client(base_url=url) as browser:
            refused = browser.get("/", headers={"Authorization": f"Bearer {game.organiser}"})
            assert refused.status_code == 401
            assert entered(browser, token.read_text().strip()).status_code == 303
            here = f"/game/{game.id}"
            assert "Done: freeze." in act(browser, here, act="freeze", game=game.id)
            assert client.get(game.path).json()["paused"] is not None
            assert "Done: thaw." in act(browser, here, act="thaw", game=game.id)
        play(client, game, 5)
        assert token.read_text().strip() not in "\n".join([*said, *server.lines])
    yield "a game was frozen and thawed by forms; an organiser's token does not come in"


def backup(folder: Path) -> Iterator[str]:
    copies = folder / "copies"
    with served(folder) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        game = create(client, "pennant", options={"turns": 100})
        play(client, game, 20)
        done = subprocess.run(
            copied(server.database, copies), capture_output=True, text=True, check=False,
            timeout=120, cwd=ROOT,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        play(client, game, 20, seed="after")
    yield done.stdout.splitlines()[0]
    drilled = decklog("backup", "drill", copies, "--database", server.database)
    assert drilled.returncode == 0, drilled.stdout + drilled.stderr
    yield drilled.stdout.splitlines()[-1]


def offsite(folder: Path) -> Iterator[str]:
    """The copy goes to an S3-like store, which rclone plays."""
    found = program("litestream")
    if found is None:
        yield "Litestream is not installed here: not shown"
        return
    told, back = folder / "litestream.yml", folder / "back"
    with bucket(folder / "buckets") as away:
        yield from _offsite(folder, away, found, told, back)


def _offsite(folder: Path, away: BucketServer, found: str, told: Path, back: Path) -> Iterator[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    with served(folder) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        dbs = [{"path": str(server.database), "replica": _replica(away)}]
        told.write_text(yaml.safe_dump({"dbs": dbs}), "utf-8")
        copying = subprocess.Popen(
            [found, "replicate", "-config", told],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=plain,
        )  # fmt: skip
        try:
            game = create(client, "pennant", options={"turns": 100})
            for number in range(5):
                play(client, game, 20, seed=str(number))
                time.sleep(1)
            time.sleep(3)
        finally:
            server.kill()
            copying.kill()
            copying.wait()
    back.mkdir()
    copy = back / "decklog.sqlite"
    line = [found, "restore", "-config", told, "-o", copy, server.database]
    subprocess.run([*map(str, line)], check=True, capture_output=True, timeout=60, env=plain)
    shutil.copy(f"{server.database}.key", f"{copy}.key")
    with served(back) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        version = client.get(game.path).json()["version"]
        assert version >= max(game.done.values()), (version, max(game.done.values()))
        play(client, game, 10, seed="back")
    whole = decklog("store", "check", "--database", copy)
    assert whole.returncode == 0, whole.stdout
    parts = sum(1 for each in away.files.rglob("*") if each.is_file())
    assert parts > 1
    yield (
        f"killed 3 s after the last of {len(game.done)} commands: none of them was missing in "
        f"the {parts} objects of the bucket"
    )


def _replica(away: BucketServer) -> dict[str, Any]:
    """As deploy/DRILLS.md has it, at another address."""
    told = away.environment
    return {
        "type": "s3", "bucket": away.files.parent.name, "path": away.files.name,
        "endpoint": told["AWS_ENDPOINT_URL"], "region": told["AWS_REGION"],
        "force-path-style": True, "sync-interval": "1s",
        "access-key-id": told["AWS_ACCESS_KEY_ID"],
        "secret-access-key": told["AWS_SECRET_ACCESS_KEY"],
    }  # fmt: skip


def alerts(folder: Path) -> Iterator[str]:
    found = program("prometheus")
    if found is None:
        yield "Prometheus is not installed here: not shown"
        return
    port, copies = free_port(), folder / "copies"
    copies.mkdir()
    given: dict[str, Any] = {
        "chain_length": 64, "port": port, "cached_games": 1, "backups": copies
    }  # fmt: skip
    server = start(folder, "pennant", **given)
    try:
        with watched(found, folder, [port]) as firing:
            until(lambda: firing() is not None)
            time.sleep(5)
            assert firing() == set(), firing()
            with httpx.Client(base_url=server.url) as client:
                game = create(client, "pennant")
                create(client, "pennant")
                whole = copied(server.database, copies)
                subprocess.run(whole, capture_output=True, check=True, cwd=ROOT, timeout=600)
                spoil(server.database)
                assert client.get(game.path).json()["code"] == "game.damaged"
            took = until(lambda: "DecklogGamesDamaged" in (firing() or ()), PATIENCE)
            assert firing() == {"DecklogGamesDamaged"}
            yield f"a damaged game: DecklogGamesDamaged after {took:.0f} s, nothing else"
            yield from harmed_copies(server.database, copies, firing)
            server.kill()
            down = {"DecklogAllDown", "DecklogWorkerDown"}
            took = until(lambda: down <= (firing() or set()), PATIENCE)
            assert firing() == down
            yield f"no worker: {', '.join(sorted(down))} after {took:.0f} s, nothing else"
            server = start(folder, "pennant", **given)
            took = until(lambda: not down & (firing() or down), PATIENCE)
            yield f"it is there again: both resolve after {took:.0f} s"
    finally:
        server.kill()


def harmed_copies(
    database: Path, copies: Path, firing: Callable[[], set[str] | None]
) -> Iterator[str]:
    """A copy of a damaged store, and one that is cut short: what fires beside the damaged game."""

    def fails(words: list[str], *alerts: str) -> float:
        done = subprocess.run(words, capture_output=True, check=False, cwd=ROOT, timeout=600)
        assert done.returncode == 1, done
        took = until(lambda: alerts[-1] in (firing() or ()), PATIENCE)
        assert firing() == {"DecklogGamesDamaged", *alerts}, firing()
        return took

    took = fails(copied(database, copies), "DecklogBackupFailed")
    yield f"a copy of it: DecklogBackupFailed after {took:.0f} s, nothing else"
    os.truncate(max(copies.glob("decklog-*.sqlite")), 4_096)
    took = fails(drilled(database, copies), "DecklogBackupFailed", "DecklogDrillFailed")
    yield f"a copy that is cut short: DecklogDrillFailed after {took:.0f} s, nothing else"


def copied(database: Path, copies: Path) -> list[str]:
    """A copy that is checked before an older one may go."""
    program_ = Path(sys.executable).with_name("decklog")
    words = ("sqlite", database, copies, "--keep", 2, "--decklog", program_)
    return [sys.executable, str(DEPLOY / "backup.py"), *map(str, words)]


def drilled(database: Path, copies: Path) -> list[str]:
    words = ("backup", "drill", copies, "--database", database)
    return [sys.executable, "-m", "service.cli", *map(str, words)]


def spoil(database: Path) -> None:
    """A byte of every summary is another one."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE games SET summary = substr(summary, 1, 200) || x'00'")
        connection.execute("UPDATE games SET summary = CAST(summary AS BLOB)")


@contextmanager
def watched(found: str, folder: Path, ports: list[int]) -> Iterator[Callable[[], set[str] | None]]:
    """A Prometheus with the shipped rules that looks every second; gives what fires."""
    told = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yaml").read_text("utf-8"))
    told["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    told["rule_files"] = [str(DEPLOY / "prometheus" / "alerts.yaml")]
    (job,) = told["scrape_configs"]
    job["job_name"] = "whatever"
    job["static_configs"] = [{"targets": [f"127.0.0.1:{port}" for port in ports]}]
    file = folder / "prometheus.yaml"
    file.write_text(yaml.safe_dump(told), "utf-8")
    own = free_port()
    process = subprocess.Popen(
        [
            found, f"--config.file={file}", f"--storage.tsdb.path={folder / 'tsdb'}",
            f"--web.listen-address=127.0.0.1:{own}",
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip

    def firing() -> set[str] | None:
        try:
            data = httpx.get(f"http://127.0.0.1:{own}/api/v1/alerts", timeout=5).json()["data"]
        except (httpx.HTTPError, ValueError, KeyError):
            return None
        return {a["labels"]["alertname"] for a in data["alerts"] if a["state"] == "firing"}

    try:
        yield firing
    finally:
        process.terminate()
        process.wait(20)


ITEMS: dict[str, Item] = {
    "check": check, "settings": settings, "migrate": migrate, "reload": reload, "told": told,
    "refused": refused, "lost": lost, "log": log, "cells": cells, "update": update,
    "failover": failover, "hang": hang, "archive": archive, "pooler": pooler, "alerts": alerts,
    "drain": drain, "keys": keys, "page": page, "backup": backup, "offsite": offsite,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.operator", description=__doc__)
    parser.add_argument("items", nargs="*", metavar="ITEM", choices=[*ITEMS, []])
    failed = []
    for name in parser.parse_args().items or ITEMS:
        with tempfile.TemporaryDirectory(prefix="decklog-operator-") as folder:
            try:
                for line in ITEMS[name](Path(folder)):
                    print(f"{name:<10}{line}", flush=True)
            except Exception as error:
                failed.append(name)
                print(f"{name:<10}FAILED: {type(error).__name__}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
