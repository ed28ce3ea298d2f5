"""The commands of `assistant`: the verbs, `ask`, `open` and `serve`. Each module has one command and imports what it
needs; `assistant.cli` lists them and imports one only when it is used."""
