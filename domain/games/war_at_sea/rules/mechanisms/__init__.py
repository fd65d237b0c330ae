"""Abilities that are steps of the engine: one module for each way in which they come into play.

shields    who may not be attacked for the time being
lasting    what effects that last add to dice
declared   what comes with an attack when it is declared
before     dice and questions between an attack's declaration and its dice
relief     what softens a hit
sequels    what an attack leaves behind
mines      mines, sweeping, entering
shore      points promised for the end of the turn
shifts     moves of one sector outside the normal move
upkeep     repairs, rearming, speed
placing    where units may be set up
homes      where Aircraft are based that abilities treat apart
squadrons  Aircraft that abilities bring into play, and how they leave it; Kamikazes
replenish  squadrons that come back
airfield   the land airbase as a place to fight: raids on it, shells at it
fighters   the end of Air Defense: directed Fighters, second attacks
gunnery    Split Fire
ramming    Ram
luck       Bad Luck
breakout   Ships that start off the map
"""
