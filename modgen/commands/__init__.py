"""The commands of `modgen`. Each module has one command and imports what it needs; `modgen.cli` lists them and imports
one only when it is used."""
