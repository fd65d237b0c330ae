"""What a game is held to by tests, ours and a stranger's: pure, without any test framework.

suppositions  what is made up in place of the hidden agrees with all that is public
completeness  nothing of a game is left out unseen
parts         offers form a tree by their parts, whose keys are in the picture
"""
