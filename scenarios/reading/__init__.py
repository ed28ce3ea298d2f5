"""From text files to typed records. Every value keeps its place in the file.

`yaml_tree` and `rows` read YAML and CSV as `nodes`. `shapes` fills frozen dataclasses from them. `findings` are errors with their
place. `typos` finds misplaced quotes, brackets and #. `renamed_keys` knows old keys and names. `jsonschema` and `reference` document
the files for editors and people.
"""
