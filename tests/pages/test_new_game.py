"""The button that creates a game is in sight while somebody answers the form, wherever they are."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from .conftest import PATIENCE
from .test_front import SIZES
from .test_table import People

pytestmark = pytest.mark.slow("pages")

SEEN = """each => {
  const { left, top, right, bottom, width, height } = each.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight && over === each;
}"""
"""Whole within the window, and nothing lies over it."""


def in_sight(one: Locator) -> None:
    seen = f"each => ({SEEN})(each)"
    one.page.wait_for_function(seen, arg=one.element_handle(), timeout=PATIENCE)


@pytest.mark.parametrize("size", SIZES)
def test_create_is_in_sight(person: People, size: str) -> None:
    wide, high = SIZES[size]
    one = person(viewport={"width": wide, "height": high}, has_touch=size == "390")
    one.go("lobby")
    form = one.page.locator(".newgame form")
    create, to_form = (
        form.get_by_role("button", name="Create"),
        one.page.locator("button.tonew"),
    )
    create.wait_for()
    if size == "390":
        in_sight(to_form)
        to_form.tap()
        expect(one.page.locator(".newgame h2")).to_be_focused()
    else:
        expect(to_form).to_be_hidden()
        assert one.page.evaluate("scrollY") == 0
    for ruleset in ("naval-battles", "crimson-tide", "war-at-sea"):
        form.locator(f"input[name=ruleset][value={ruleset}]").check()
        expect(form).to_have_attribute("data-ruleset", ruleset)
        in_sight(create)
    for each in form.locator("fieldset.cards").all():
        each.scroll_into_view_if_needed()
        in_sight(create)
    form.get_by_text("Options of the rules").click()
    last = form.locator(".option:visible").last.locator("input, select")
    last.focus()  # by Tab one comes here too, and sees where one is
    in_sight(create)
    bottom = last.evaluate("each => each.getBoundingClientRect().bottom")
    assert bottom <= create.evaluate("each => each.getBoundingClientRect().top")
    assert one.serious() == []


KEYS_MADE = """
const { generateKey } = SubtleCrypto.prototype;
window.keysMade = 0;
SubtleCrypto.prototype.generateKey = function (how, ...more) {
  if ((how.name ?? how) === "Ed25519") window.keysMade += 1;
  return generateKey.call(this, how, ...more);
};
"""


def test_whether_a_browser_signs_is_tried_once_for_a_page(person: People) -> None:
    """It had made, written and deleted a whole key each time that the form was filled."""
    one = person()
    one.context.add_init_script(KEYS_MADE)
    one.go("lobby")
    form = one.page.locator(".newgame form")
    sign = form.get_by_label("Sign my orders")
    for ruleset in ("naval-battles", "crimson-tide", "war-at-sea"):
        form.locator(f"input[name=ruleset][value={ruleset}]").check()
        expect(form).to_have_attribute("data-ruleset", ruleset)
        expect(sign).to_be_checked()
    assert one.page.evaluate("keysMade") == 1
