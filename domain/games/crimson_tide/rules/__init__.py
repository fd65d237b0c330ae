"""The rules, chapter by chapter.

facts         what can be read off the table and the cards
asking        dice are asked of the chance seat
dice          DICE: how attack dice are read, halved and made worse
fleets        FLEET: what a fleet may hold; placing: SETUP
initiative    INIT
diving        SUB: which submarines are submerged
movement, steering, voyage, geography, collisions, weather    MOVE, STEER, TERR, COLL, WEA
air_missions  AIRD, CV: where aircraft fly
ranges, arcs, sight_lines  RNGE, ARC, LOS
targets       who may attack whom with what
strength      how many dice, how they are read, against what ratings
attacks       COMB: an attack from declaration to critical
torpedoes     TORP: the markers of earlier turns
transit       TRANS: the way home
damage        DMG, CRIT, EOT: what takes effect at the end of a turn
objectives    SCN: sea control and landings
victory       WIN
"""
