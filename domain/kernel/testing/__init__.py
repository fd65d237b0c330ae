"""What a game is held to by tests, ours and a stranger's: pure, without any test framework.

secrecy       what is hidden is hidden, seen by whose it is, and owned up to
suppositions  what is made up in place of the hidden agrees with all that is public
completeness  nothing of a game is left out unseen
"""
