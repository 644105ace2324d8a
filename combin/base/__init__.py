"""The lowest room: errors, exact numbers, text files, output, parallel work, caches and the store."""
