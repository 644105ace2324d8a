"""The ground floor: errors, exact numbers, text files, whole output, parallel work."""
