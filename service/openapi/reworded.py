"""Texts of the rules' own files, which a document says with their subject first.

A word in such a file is part of what its engine's digest is made of (service/decisions/0003): to
change one there would be another engine for nothing.
"""

from __future__ import annotations

REWORDED = {
    "what it does, in the words of the rules": "its deeds, in the words of the rules",
    "what it does, in our words": "its deeds, in our words",
    "whose dice they are: see `Awaited`": "the domain of the dice, as in `Awaited`",
    "how often it may be used": "the number of times that it may be used",
    "how many may take part": "the numbers of players that may take part",
    "what wins: together, in teams": "points that win: together, in teams",
    "What can be destroyed ashore.": "Targets that can be destroyed ashore.",
    "What it is worth.": "Its worth in points.",
    "Whose it is.": "Its side.",
    "How many dice it rolls: 4, 8 or 12.": "Dice that it rolls: 4, 8 or 12.",
    "what takes effect later (CT-DMG-02)": "damage that takes effect later (CT-DMG-02)",
    "what has taken effect (CT-FSM-12); criticals by their table number": (
        "damage that has taken effect (CT-FSM-12); criticals by their table number"
    ),
    "What an example comes to; only what it names is compared.": (
        "The result of an example; only fields that it names are compared."
    ),
    "What lies on a table of `width` by `length` klicks.\n\n"
    "Everything is drawn as the first side sees it, its own edge at the bottom.": (
        "The things on a table of `width` by `length` klicks.\n\n"
        "Everything is drawn as the first side sees it, its own edge at the bottom."
    ),
}
"""By the text that stands there."""
