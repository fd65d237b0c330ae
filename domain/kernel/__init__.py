"""What every game shares: a handful of values and the shape of a ruleset.

Read in this order: values, order, rules, chance, tally, flow, event, roles, options, form,
custom, bot, chances, claims, fork, insight, scene, drawing, tables, game, question, play, rulebook,
data, defaults, codec, finder, sameness, conformance, testing.
"""
