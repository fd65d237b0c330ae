"""Deploy files at real programs, where CI has none: python -m tests.campaigns.deploy [PART ...].

    image   the Dockerfile's own commands in a fresh folder, then its start; needs the network
    files   nginx, systemd and Prometheus check their files, each where it is installed
    proxy   nginx with our configuration before two workers on PostgreSQL: play, streams, a worker
            that stops and one that is killed; needs nginx

Prints a line for each thing that was shown, or that could not be for want of a program. Exit code 1
when something is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.deploy.files import DEPLOY, dockerfile, image_environment
from tests.service.ops.play import create, play
from tests.support import postgres
from tests.support.server import ROOT, Running, start

SECONDS = 10
EVENTS = 25
QUOTA = 1_200


def say(text: str) -> None:
    print(text, flush=True)


def ran(line: list[str], **more: Any) -> str:
    """The program's output. Raises RuntimeError when it fails."""
    done = subprocess.run(line, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(line)}\n{done.stdout}{done.stderr}")
    return str(done.stdout + done.stderr)


# The image


def image(folder: Path) -> None:
    """Every COPY and RUN of the first stage, its paths inside ``folder``, and a start of that."""
    build, home = folder / "build", folder / "opt" / "decklog"
    build.mkdir()
    home.parent.mkdir()
    for each in dockerfile():
        if each.stage == 0 and each.word == "COPY":
            *sources, target = each.rest.split()
            _copy(sources, build, target)
        elif each.stage == 0 and each.word == "RUN":
            say(f"RUN {each.rest}")
            line = each.rest.replace("/opt/decklog", str(home)).replace("RUN ", "")
            line = line.replace("python -m venv", f"{sys.executable} -m venv", 1)
            ran(["bash", "-euc", line], cwd=build)
    size = sum(path.stat().st_size for path in home.rglob("*") if path.is_file())
    say(f"what is copied into the image has {size / 1e6:.0f} MB")
    _serve_from(home, folder)


def _copy(sources: list[str], build: Path, target: str) -> None:
    for name in sources:
        source = ROOT / name
        place = build / target
        if source.is_dir():
            shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
        elif target.endswith("/"):
            shutil.copy(source, place / source.name)
        else:
            place.parent.mkdir(exist_ok=True)
            shutil.copy(source, place)


def _serve_from(home: Path, folder: Path) -> None:
    """``decklog serve`` as it was built, away from the sources, with the image's settings."""
    told = {k: v for k, v in image_environment().items() if k.startswith("DECKLOG_")}
    told |= {"DECKLOG_HOST": "127.0.0.1", "DECKLOG_PORT": "0"}
    told["DECKLOG_DATABASE"] = str(folder / "games.sqlite")
    told.pop("DECKLOG_COMMIT")
    environment = {"PATH": f"{home / 'bin'}:{os.environ['PATH']}", **told}
    process = subprocess.Popen(
        ["decklog", "serve"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        rulesets = httpx.get(url + "/v1/rulesets").json()["items"]
        assert httpx.get(url + "/readyz").status_code == 200
        names = ", ".join(each["id"] for each in rulesets)
        say(f"the built service is ready and offers {names}")
    finally:
        process.terminate()
        process.wait(20)


# Files


def files(folder: Path) -> None:
    """Each program checks its own files."""
    if program := _there("nginx"):
        say(ran([program, "-t", "-c", str(_configured(folder, ["127.0.0.1:9", "127.0.0.1:8"]))]))
    if program := _there("promtool"):
        alerts = str(DEPLOY / "prometheus" / "alerts.yaml")
        say(ran([program, "check", "rules", alerts]))
        say(ran([program, "check", "config", str(DEPLOY / "prometheus" / "prometheus.yaml")]))
    if program := _there("kubectl"):
        built = ran([program, "kustomize", str(DEPLOY / "kubernetes")])
        say(f"kustomize makes {built.count('kind: ')} objects")
    if program := _there("systemd-analyze"):
        for unit in sorted((DEPLOY / "systemd").iterdir()):
            _verify_unit(program, unit, folder)


def _verify_unit(program: str, unit: Path, folder: Path) -> None:
    """The unit with programs that are there in place of its own."""
    text = unit.read_text("utf-8")
    for name in ("decklog", "python"):
        text = text.replace(f"/opt/decklog/bin/{name}", "/bin/true")
    copy = folder / unit.name
    copy.write_text(text, "utf-8")
    told = ran([program, "verify", "--man=no", str(copy)])
    mine = [line for line in told.splitlines() if "decklog" in line]
    if mine:
        raise RuntimeError("\n".join(mine))
    say(f"systemd finds nothing wrong with {unit.name}")


def _there(name: str) -> str | None:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/bin")
    if found is None:
        say(f"{name} is not installed here: its files are not checked")
    return found


# The proxy


def _configured(folder: Path, workers: list[str]) -> Path:
    """nginx.conf as it is shipped, with the places of this machine in it."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    return configured(folder, text, _places(workers), (_free(), _free()))


def _places(workers: list[str]) -> dict[str, str]:
    """Of the two upstream servers that nginx.conf names."""
    return dict(zip(("worker-1:8000", "worker-2:8000"), workers, strict=True))


def configured(folder: Path, text: str, workers: Mapping[str, str], ports: tuple[int, int]) -> Path:
    """A configuration with the places of this machine in it, and a certificate of its own.

    workers  the address of each server that an upstream names; ``ports``: plain and TLS
    """
    tls = folder / "tls"
    tls.mkdir(exist_ok=True)
    ran(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-keyout", str(tls / "tls.key"),
         "-out", str(tls / "tls.crt")])  # fmt: skip
    plain, secure = ports
    folder.chmod(0o711)  # nginx's workers are nobody much
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"    {kind}_temp_path {folder / kind};\n" for kind in kinds)
    for old, new in (
        ("http {\n", "http {\n" + places),
        ("/etc/nginx/tls", str(tls)),
        ("/run/nginx.pid", str(folder / "nginx.pid")),
        ("/dev/stdout", str(folder / "access.log")),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{secure} "),
        *workers.items(),
    ):
        assert old in text, old
        text = text.replace(old, new)
    target = folder / "nginx.conf"
    target.write_text(text, "utf-8")
    return target


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def proxied(program: str, folder: Path, workers: list[Running]) -> Iterator[str]:
    """nginx before the workers, as it is shipped; its https address."""
    places = _places([worker.url.removeprefix("http://") for worker in workers])
    with fronted(program, folder, (DEPLOY / "nginx.conf").read_text("utf-8"), places) as url:
        yield url


@contextmanager
def fronted(program: str, folder: Path, text: str, workers: Mapping[str, str]) -> Iterator[str]:
    """nginx with that configuration; its https address."""
    ports = (_free(), _free())
    target = configured(folder, text, workers, ports)
    process = subprocess.Popen(
        [program, "-c", str(target), "-p", str(folder), "-g", "daemon off;"],
        stderr=subprocess.DEVNULL,
    )
    url = f"https://127.0.0.1:{ports[1]}"
    try:
        until = time.monotonic() + SECONDS
        while True:
            try:
                httpx.get(url + "/healthz", verify=False).raise_for_status()
                break
            except httpx.HTTPError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def proxy(folder: Path) -> None:
    """Play through nginx, and let workers go while it is played."""
    program = _there("nginx")
    if program is None:
        return
    with ExitStack() as stack:
        address = stack.enter_context(postgres.running())
        told: dict[str, Any] = {
            "store": address, "key": postgres.KEY, "chain_length": 512, "drain_seconds": 2,
            "proxies": "127.0.0.1", "rate_limit": QUOTA, "parallel_limit": 0,
        }  # fmt: skip
        workers = [start(folder, "pennant", **told) for _ in range(2)]
        for worker in workers:
            stack.callback(worker.kill)
        url = stack.enter_context(proxied(program, folder, workers))
        with httpx.Client(base_url=url, verify=False, timeout=30) as client:
            _refusals(client)
            _stream(client, url)
            _leaving(client, workers)
            workers[1].kill()
            answer = client.get("/v1")
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (503, "service.not-ready"), problem
            say("with no worker left the proxy answers 503 with a problem document")


def _refusals(client: httpx.Client) -> None:
    for path in ("/metrics", "/readyz"):
        assert client.get(path).status_code == 404
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k" * 32}
    large = client.post("/v1/games", content=b" " * 300_000, headers=headers)
    assert (large.status_code, large.json()["code"]) == (413, "body.too-large")

    def left(number: int) -> int:
        made_up = {"X-Forwarded-For": f"203.0.113.{number}"}
        answer = httpx.get(f"{client.base_url}/v1", headers=made_up, verify=False, timeout=30)
        return int(answer.headers["ratelimit"].split("r=")[1].split(";")[0])

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(left, range(80)))
    assert min(counts) < QUOTA - 4, "each made-up address has a quota of its own"
    say("operators' pages are closed, refusals are the service's, a made-up address buys nothing")


def _stream(client: httpx.Client, url: str) -> None:
    """How long after a command is answered its event has come through the proxy."""
    game = create(client, "pennant", options={"turns": 100})
    came: dict[int, float] = {}

    def follow() -> None:
        with httpx.stream(
            "GET", f"{url}{game.path}/events", verify=False, timeout=60,
            headers={"Accept": "text/event-stream"},
        ) as stream:  # fmt: skip
            for line in stream.iter_lines():
                if line.startswith("id: "):
                    came[int(line[4:])] = time.monotonic()
                if len(came) > EVENTS:
                    return

    follower = threading.Thread(target=follow, daemon=True)
    follower.start()
    waits: list[float] = []
    while len(waits) < EVENTS:
        play(client, game, 1, seed=str(len(waits)))
        version, answered = max(game.done.values()), time.monotonic()
        while version not in came and len(came) <= EVENTS:
            assert time.monotonic() < answered + SECONDS, "the stream is held up"
            time.sleep(0.001)
        waits.append(max(0.0, came.get(version, answered) - answered))
    follower.join(SECONDS)
    shown = f"{statistics.median(waits) * 1e3:.0f} ms, at most {max(waits) * 1e3:.0f} ms"
    say(f"an event comes through the proxy {shown} after its command's answer")


def _leaving(client: httpx.Client, workers: list[Running]) -> None:
    """Play goes on while a worker stops: not one request fails."""
    games = [create(client, "pennant", options={"turns": 300}) for _ in range(2)]
    play(client, games[0], 5)
    stopped: list[int] = []
    stopper = threading.Thread(target=lambda: stopped.append(workers[0].stop()))
    stopper.start()
    rounds = 0
    while stopper.is_alive() or rounds < 20:
        for game in games:
            play(client, game, 1, seed=str(rounds))
        rounds += 1
    stopper.join()
    assert stopped == [0]
    done = sum(len(game.done) for game in games)
    say(f"a worker stopped while {done} commands went through: none failed")


PARTS = {"image": image, "files": files, "proxy": proxy}


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    asked = parser.parse_args().parts or list(PARTS)
    for name in asked:
        say(f"== {name}")
        with tempfile.TemporaryDirectory() as folder:
            try:
                PARTS[name](Path(folder))
            except (RuntimeError, AssertionError, httpx.HTTPError) as error:
                say(f"not as it should be: {error!r}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
