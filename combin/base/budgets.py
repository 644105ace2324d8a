"""How much a reader and a count may take: the one place where it is stated. What asks for more is refused in one line.

The numbers leave room for every file that a person writes, and hold whatever else is given
to two seconds and 200 MiB.
"""

from __future__ import annotations

#: Bytes of a file of a user's; of one that is TOML.
FILE_BYTES, TOML_BYTES = 2**20, 2**18
#: Signs of TOML that part keys, values and tables; parts of a dotted key; tables within tables.
PARTS, KEY_PARTS, LEVELS = 20_000, 8, 20
#: Faults that are listed of one file.
FAULTS = 100
#: Rows, columns and cells of a sheet; sheets of a workbook, bytes that what is read of it unpacks to, and tags in it.
ROWS, COLUMNS, CELLS = 5_000, 64, 50_000
SHEETS, UNPACKED, TAGS = 50, 2**23, 100_000
#: Paytables of a file, lines of a paytable, terms of a pay.
PAYTABLES, LINES, TERMS = 500, 200, 12
#: Files of a policy that extends others, and how deep they stand; rules of a file; ids and globs of its rules.
POLICY_FILES, POLICY_LEVELS, RULES, PATTERNS = 50, 20, 500, 500
#: Characters of an id or a glob; symbols of a wheel; entries of a catalogue of committed analyses.
PATTERN, SYMBOLS, ENTRIES = 200, 200, 100
#: Combinations of readings that a rule or a range looks at.
READINGS = 4_096
#: Pays that a design tries, paytables that it lists, and those that it holds to a policy.
TRIES, DESIGNS, DESIGNS_JUDGED = 5_000_000, 200_000, 20_000
