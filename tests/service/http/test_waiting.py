"""What is left of a quota and when to come again agree."""

from __future__ import annotations

from service.http.buckets import WINDOW, Buckets


def test_who_is_sent_away_hears_one_time_twice() -> None:
    """``RateLimit`` said when the quota was whole again, ``Retry-After`` when one request was."""
    now = 0.0
    buckets = Buckets(10, lambda: now)
    told = [buckets.take("anna") for _ in range(12)]
    assert [each.admitted for each in told] == [True] * 10 + [False] * 2
    assert all(each.reset > WINDOW // 2 for each in told[5:9])
    last, refused = told[9], told[10]
    assert (last.remaining, refused.remaining) == (0, 0)
    assert last.reset == refused.reset == refused.retry
    now += refused.retry
    assert buckets.take("anna").admitted
