"""The version of combin."""

VERSION = "0.1.0"
