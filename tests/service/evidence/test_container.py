"""The container has one form for the same files, and refuses what could do harm."""

from __future__ import annotations

import hashlib
import io
import zipfile

import pytest

from service import container
from service.container import BadContainer
from service.evidence import form
from service.evidence.form import BadForm, TooDeep

FILES = {"b.json": b"{}", "a/list.jsonl": b"1\n2\n", "empty": b""}


def zipped(entries: list[zipfile.ZipInfo], compression: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for entry in entries:
            archive.writestr(entry, b"x", compression)
    return out.getvalue()


def plain(name: str, mode: int = 0o100644) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def test_round_trip_and_one_form() -> None:
    data = container.pack(FILES)
    assert container.unpack(data) == FILES
    assert container.pack(dict(reversed(FILES.items()))) == data


def test_the_form_never_changes() -> None:
    """A later Python or program must write the very same bytes."""
    digest = hashlib.sha256(container.pack({"a": b"1", "b": b"2"})).hexdigest()
    assert digest == "abba080c92582d63232654caf7e671fcc0b40992dd809e155abd224886238e9c"


def test_names_are_sorted_stored_and_dated_1980() -> None:
    with zipfile.ZipFile(io.BytesIO(container.pack(FILES))) as archive:
        infos = archive.infolist()
    assert [info.filename for info in infos] == sorted(FILES)
    assert {info.compress_type for info in infos} == {zipfile.ZIP_STORED}
    assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
    assert {info.extra for info in infos} == {b""}


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../../b", "C:x", "a\\b", "ä", "a\n"])
def test_names_that_lead_elsewhere(name: str) -> None:
    with pytest.raises(BadContainer):
        container.unpack(zipped([plain(name)]))


@pytest.mark.parametrize("mode", [0o120777, 0o040755, 0o100755, 0o010644])
def test_links_folders_and_programs(mode: int) -> None:
    with pytest.raises(BadContainer, match="not a plain file"):
        container.unpack(zipped([plain("a", mode)]))


def test_the_same_name_twice() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped([plain("a"), plain("a")])
    with pytest.raises(BadContainer, match="same name"):
        container.unpack(data)


def test_compression_is_not_unpacked() -> None:
    with pytest.raises(BadContainer, match="compressed"):
        container.unpack(zipped([plain("a")], zipfile.ZIP_DEFLATED))


def test_too_many_entries() -> None:
    with pytest.raises(BadContainer, match="entries"):
        container.unpack(zipped([plain(f"f{n}") for n in range(container.BUNDLE.files + 1)]))


def test_too_many_bytes() -> None:
    data = container.pack(FILES)
    assert container.unpack(data, container.Limits(3, len(data))) == FILES
    with pytest.raises(BadContainer, match="bytes"):
        container.unpack(data, container.Limits(3, len(data) - 1))


def test_an_engine_may_have_more_files_and_fewer_bytes() -> None:
    many = container.pack({f"f{n}": b"" for n in range(container.BUNDLE.files + 1)})
    assert len(container.unpack(many, container.ENGINE)) == container.BUNDLE.files + 1
    large = container.pack({"f": bytes(container.ENGINE.size)})
    assert container.unpack(large)
    with pytest.raises(BadContainer, match="bytes"):
        container.unpack(large, container.ENGINE)


@pytest.mark.parametrize("extra", [b"x", b"\0" * 30])
def test_bytes_before_or_after(extra: bytes) -> None:
    data = container.pack(FILES)
    for altered in (extra + data, data + extra):
        with pytest.raises(BadContainer):
            container.unpack(altered)


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x05\x06" + bytes(17), b"\0" * 100])
def test_no_zip_at_all(data: bytes) -> None:
    with pytest.raises(BadContainer):
        container.unpack(data)


# Canonical text


@pytest.mark.parametrize(
    "text",
    [b'{"a":1,"b":[true,null,"x"]}', b"[]", b"0", b'"\xc3\xa9"', b"9007199254740991", b"-1"],
)
def test_canonical_text(text: bytes) -> None:
    form.check_canonical(text)


@pytest.mark.parametrize(
    "text",
    [
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a": 1}',
        b"[1.5]",
        b"[1.0]",
        b"1e3",
        b"9007199254740992",
        b"-9007199254740992",
        b"123456789012345678901234567890",
        b'{"\xc3\xa9":1}',
        b'"\\u0041"',
        b'"\\/"',
        b'"\xff"',
        b"{",
        b"",
        b"[1],",
        b"01",
        b"-0",
        b"NaN",
    ],
)
def test_text_that_is_not_canonical(text: bytes) -> None:
    with pytest.raises(BadForm):
        form.check_canonical(text)


def test_depth() -> None:
    deep = b"[" * form.MAX_DEPTH + b"]" * form.MAX_DEPTH
    form.check_canonical(deep)
    with pytest.raises(TooDeep):
        form.check_canonical(b"[" + deep + b"]")
    with pytest.raises(TooDeep):
        form.check_canonical(b"[" * 1_000_000)


def test_brackets_in_strings_are_not_depth() -> None:
    form.check_canonical(b'["' + b"[{" * 100 + b'","\\"[' + b"[" * 100 + b'"]')
    wide = b"[" + b",".join([b"[]"] * 200) + b"]"
    form.check_canonical(wide)


def test_a_cut_off_last_line() -> None:
    assert list(form.lines(b"1\n2\n")) == [b"1", b"2"]
    assert list(form.lines(b"")) == []
    with pytest.raises(BadForm):
        form.lines(b"1\n2")
