"""The limits of readers and counts. Input beyond a limit is refused in one line.

The limits allow every file that a person writes, and keep any other input within two seconds and 200 MiB.
"""

from __future__ import annotations

#: Files of a folder or a glob.
FILES = 2_000
#: Bytes of a user's file; of a TOML file.
FILE_BYTES, TOML_BYTES = 2**20, 2**18
#: Separators (= [ { , .) in a TOML file; parts of a dotted key; depth of nested tables.
PARTS, KEY_PARTS, LEVELS = 20_000, 8, 20
#: Faults listed for one file.
FAULTS = 100
#: Rows, columns and cells of a sheet; sheets, unpacked bytes and XML tags of a workbook.
ROWS, COLUMNS, CELLS = 5_000, 64, 50_000
SHEETS, UNPACKED, TAGS = 50, 2**23, 100_000
#: Paytables of a file, lines of a paytable, terms of a pay.
PAYTABLES, LINES, TERMS = 500, 200, 12
#: Files that a policy extends, and their depth; requirements of a file; ids and globs of its requirements.
POLICY_FILES, POLICY_LEVELS, REQUIREMENTS, PATTERNS = 50, 20, 500, 500
#: Characters of an id or a glob; symbols of a wheel; entries of a catalogue of committed analyses.
PATTERN, SYMBOLS, ENTRIES = 200, 200, 100
#: The work of counting the files of a command: the sum of classes of deals × different words of their conditions.
WORK = 2 * 10**9
#: Shared hands that are listed one by one, and cells of the tables of a seat's hands for each of them.
HANDS_BESIDE, SEAT_CELLS = 30_000, 2 * 10**8
#: A simulated bank: days of all runs, wagers dealt card by card, and pays of meters.
DAYS, WAGERS_DEALT, METER_PAYS = 10**7, 2 * 10**9, 3 * 10**7
#: Pays that a design tries; paytables that it lists; paytables that it checks against a policy.
TRIES, DESIGNS, DESIGNS_JUDGED = 5_000_000, 200_000, 20_000
