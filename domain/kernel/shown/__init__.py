"""What every game shares of what only shows: nothing that decides imports it.

Read in this order: roles, rulebook, option_texts, catalogue, claims, insight, scene, drawing, bot,
parts, tables; wording helps sentences.
"""
