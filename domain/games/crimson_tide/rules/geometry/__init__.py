"""The open table in whole numbers: poses, bases, distances, arcs, lines of sight (CT-GEOM).

Lengths are world units (wu): one is a micrometre on a 1:3000 table. Headings are ticks of half a
degree, 0 to 719, clockwise from +y. Nothing here is rounded but by :func:`fixed.rdiv`, so a replay
is equal bit for bit on every machine; and every result turns and mirrors with the table.

Read in this order: fixed, sines, pose, hull, polygons, distance, arcs, sight, track, discs.
"""
