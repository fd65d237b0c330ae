"""What every game shares: a handful of values and the shape of a ruleset.

Read in this order what decides: values, command, order, rules, chance, tally, flow, event, options,
form, custom, data, agreed, chances, fork, setup, question, play, engine, defaults, codec. Then
shown, which has an order of its own; and what knows both: game, forked, finder, sameness,
conformance, testing.
"""
