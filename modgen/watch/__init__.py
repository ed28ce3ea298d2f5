"""`modgen watch`: a pack as it is written, drawn in a browser.

`watcher` looks at the files and reads the pack again when one is saved, `page` says what the browser shows of it, with what is wrong
beside its lines, and `serving` mounts it on the assistant's page.
"""
