"""The closed set of what can be wrong with an input file before its meaning is looked at."""

from enum import StrEnum


class InputId(StrEnum):
    """The id of a finding of this room; each is also a heading in the docs.

    Attributes:
        FILE_UNREADABLE: missing, a folder, not permitted, too large, binary, not UTF-8, empty.
        YAML_SYNTAX: not YAML, more than one document, nested too deep.
        YAML_TAG: a tag (`!!python/name`, `!mine`) where only plain data is read.
        YAML_KEY: a key that is a list, a mapping or empty.
        YAML_ALIAS: an alias that is unknown, contains itself or explodes, or a merge of no mapping.
        DUPLICATE_KEY: one key twice in one mapping.
        UNKNOWN_KEY: a key that the schema does not have here.
        MISSING_KEY: a key that the schema wants here.
        WRONG_TYPE: a text where a number is needed, and the like.
        WRONG_VALUE: the right type, but not one of the values allowed.
        FLOAT_VERSION: a version without quotes, which YAML reads as a number (7.20 is 7.2).
        SCHEMA_MISMATCH: the schema refuses the file and cannot say why; a fault of this program.
    """

    FILE_UNREADABLE = "file-unreadable"
    YAML_SYNTAX = "yaml-syntax"
    YAML_TAG = "yaml-tag"
    YAML_KEY = "yaml-key"
    YAML_ALIAS = "yaml-alias"
    DUPLICATE_KEY = "duplicate-key"
    UNKNOWN_KEY = "unknown-key"
    MISSING_KEY = "missing-key"
    WRONG_TYPE = "wrong-type"
    WRONG_VALUE = "wrong-value"
    FLOAT_VERSION = "float-version"
    SCHEMA_MISMATCH = "schema-mismatch"
