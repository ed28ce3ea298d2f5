"""From text files to typed records: every value keeps its place in the file.

`composing` and `rows` read YAML and CSV as `nodes`, `shapes` fills frozen dataclasses from them, `findings` are what is wrong and where,
`slips` are quotes, brackets and # in the wrong place. `jsonschema` and `reference` say for editors and people what a file may hold.
"""
