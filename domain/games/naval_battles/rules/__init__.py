"""The rules by chapter. Each public function marked ``@rule`` is the one home of its rules.

facts       what can be read off the table: cards, owners, rows, damage, points, teams
setup       nations, fleets, first player, layout
rows        arranging and closing rows
reorganize  Retreat and Reinforcements
preparing   prepare cards
declaring   attacks, raids and surprises
defending   who is asked, cards, air cover, run silent
rolling     dice, the Planning window, what must be reached
resolving   hits, damage, sinking
drawing     the deck, draws, discards
turns       player turns and rounds
winning     points, battles, the end
"""
