"""Character cards: what a program for role play writes of a character, in JSON, YAML, images and zips.

Every container (:mod:`png`, :mod:`webp`, :mod:`charx`, :mod:`json_file`, :mod:`yaml_file`) gives one mapping; :mod:`card` reads
the dialects of it; :mod:`notes` makes notes, links and sources of what it says.
"""
