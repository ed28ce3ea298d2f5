"""The files of a module: build file, lock, patches, extensions, keys and buttons, put together as one .vmod."""
