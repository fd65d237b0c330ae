"""What a game is held to by tests, ours and a stranger's: pure, without any test framework.

table         given, when, then: a game in the middle of things
cases         numbered conformance cases, for engines in any language
recorded      whole games as lines: every command and every die, and what they came to
counts        option counts by depth
fingerprint   whether two forms of a game play alike
secrecy       what is hidden is hidden, seen by whose it is, and owned up to
suppositions  what is made up in place of the hidden agrees with all that is public
biting        a claim about the hidden is untrue of some other hidden thing
asking        who is asked what, when and about whom
meaning       what events mean to readers is so
touched       an event changes of the state what it is known to change
aimed         what is drawn of an action lies at the units that it is about
completeness  nothing of a game is left out unseen
parts         offers form a tree by their parts, whose keys are in the picture
"""
