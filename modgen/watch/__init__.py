"""`modgen watch`: draws a pack in a browser while its author writes it.

`watcher` polls the files and reads the pack again when one is saved. `page` decides what the browser shows, including
findings beside their lines. `serving` mounts it on the assistant's page.
"""
