"""The rules, chapter by chapter, in the order in which the rulebook tells them.

facts          what can be read off the table
fleets         FLEET: units, fleets and what a Carrier may base
deployment     SETUP: battle zone, coin, edges, deploying
stacking       STACK
initiative     INIT
turns          SEA, AIRM: whose step it is, and who acts next where the sides take turns
tasks          what happens by itself in a step
sea_movement   SEA
air_missions   AIRM
rows           ATK: the dice of an attack as the card gives them
targets        ATK, AIRD, AIRA, SURF, TORP, SUBA: who may attack whom
dice           ATK, DMG: how many dice, read how, against what armor
attacks        ATK, LOS: an attack from declaration to counters
damage         DMG, AIR: the end of a phase
air_return     RETN
victory        EOT, VP
mechanisms     single abilities that are steps of their own, one module for each sort
"""
