"""What everything stands on: errors, exact numbers, text files, whole output, parallel work."""
