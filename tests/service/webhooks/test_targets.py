"""Where webhooks may lead: a list of known tricks, each refused; and what is good, taken."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address

import pytest

from service.webhooks.targets import Forbidden, check_form, find, is_public

NAMES = {
    "bots.example.org": ["93.184.215.14"],
    "both.example.org": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
    "xn--bcher-kva.example.org": ["93.184.215.14"],
    "loop.example.org": ["127.0.0.1"],
    "mixed.example.org": ["93.184.215.14", "10.0.0.8"],
    "six.example.org": ["::1"],
    "mapped.example.org": ["::ffff:169.254.169.254"],
    "translated.example.org": ["64:ff9b::7f00:1"],
    "empty.example.org": [],
    "scoped.example.org": ["fe80::1%eth0"],
}
"""What our name server says, as those of attackers do."""

REFUSED = (
    # this machine
    "https://127.0.0.1/", "https://127.0.0.1:443/", "https://127.1/", "https://127.255.255.254/",
    "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/",
    "https://0.0.0.0/", "https://0/", "https://[::1]/", "https://[::]/",
    "https://[0:0:0:0:0:0:0:1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/",
    "https://[::127.0.0.1]/", "https://loop.example.org/", "https://six.example.org/",
    # in disguise
    "https://2130706433/", "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0177.0.0.1/",
    "https://017700000001/", "https://127.0.1/", "https://0x7f.1/", "https://127.0.0.1./",
    "https://１２７.０.０.１/", "https://127。0。0。1/", "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    # private networks, and those of providers
    "https://10.0.0.1/", "https://172.16.5.4/", "https://192.168.1.1/", "https://169.254.169.254/",
    "https://169.254.169.254/latest/meta-data/", "https://100.64.0.1/", "https://198.18.0.1/",
    "https://192.0.0.192/", "https://224.0.0.1/", "https://255.255.255.255/", "https://240.0.0.1/",
    "https://[fe80::1]/", "https://[fe80::1%25eth0]/", "https://[fc00::1]/", "https://[fd00:ec2::254]/",
    "https://[ff02::1]/", "https://[64:ff9b::a9fe:a9fe]/", "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::]/", "https://[fec0::1]/", "https://2852039166/",
    "https://metadata.google.internal/", "https://printer.local/", "https://intranet/",
    "https://mixed.example.org/", "https://mapped.example.org/", "https://translated.example.org/",
    "https://empty.example.org/", "https://scoped.example.org/", "https://unknown.example.org/",
    # other schemes and ports
    "http://bots.example.org/", "ftp://bots.example.org/", "file:///etc/passwd", "gopher://127.0.0.1/",
    "dict://127.0.0.1:11211/", "javascript:alert(1)", "//bots.example.org/", "bots.example.org",
    "https://bots.example.org:22/", "https://bots.example.org:25/", "https://bots.example.org:6379/",
    "https://bots.example.org:5432/", "https://bots.example.org:0/", "https://bots.example.org:99999/",
    # readers that disagree about what the host is
    "https://bots.example.org@127.0.0.1/", "https://user:word@bots.example.org/",
    "https://127.0.0.1\\@bots.example.org/", "https://bots.example.org#@127.0.0.1/",
    "https://bots.example.org\\.127.0.0.1/", "https:///127.0.0.1/", "https://", "https://?", "",
    "https://bots.example.org/\r\nHost: 127.0.0.1", "https://bots.example.org/ x",
    "https://bots.example.org\t/", "https://[::1", "https://[not-six]/", "https://.example.org/",
    "https://-bad-.example.org./", f"https://bots.example.org/{'x' * 2048}",
)  # fmt: skip

TAKEN = (
    "https://bots.example.org/decklog",
    "https://bots.example.org:8443/decklog?key=a%20b",
    "https://BOTS.example.org/",
    "https://both.example.org/hook",
    "https://93.184.215.14/hook",
    "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook",
    "https://xn--bcher-kva.example.org/",
)


async def resolve(host: str, port: int) -> list[str]:
    """Our names; numbers in any form as the system reads them, without asking the network."""
    if host in NAMES:
        return NAMES[host]
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, flags=socket.AI_NUMERICHOST)
    except OSError:
        raise socket.gaierror(socket.EAI_NONAME, "no such name") from None
    return [str(entry[4][0]) for entry in found]


def test_the_list_is_long_enough() -> None:
    assert len(set(REFUSED)) == len(REFUSED) >= 60


@pytest.mark.parametrize("url", REFUSED)
def test_a_known_trick_is_refused(url: str) -> None:
    with pytest.raises(Forbidden):
        asyncio.run(find(url, resolve, private=False))


@pytest.mark.parametrize("url", TAKEN)
def test_a_public_address_is_taken(url: str) -> None:
    target = asyncio.run(find(url, resolve, private=False))
    assert is_public(target.address)
    assert target.port in (443, 8443)


def test_names_are_looked_up_once_and_the_address_is_kept() -> None:
    asked: list[str] = []

    async def once(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["93.184.215.14"] if len(asked) == 1 else ["127.0.0.1"]

    target = asyncio.run(find("https://bots.example.org/", once, private=False))
    assert target.address == "93.184.215.14"
    assert asked == ["bots.example.org"]
    with pytest.raises(Forbidden):
        asyncio.run(find("https://bots.example.org/", once, private=False))


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/x", "http://localhost:8080/", "https://nas/"])
def test_local_development_is_a_setting(url: str) -> None:
    assert check_form(url, private=True).host
    with pytest.raises(Forbidden):
        check_form(url, private=False)


def test_nothing_special_purpose_is_public() -> None:
    """The registries of IANA, as far as Python knows them, are a part of what we refuse."""
    for first in range(256):
        for second in (0, 16, 31, 64, 88, 127, 168, 254, 255):
            address = f"{first}.{second}.2.1"
            if not ip_address(address).is_global or ip_address(address).is_multicast:
                assert not is_public(address), address
    assert not is_public("not an address")
    assert is_public("8.8.8.8")
