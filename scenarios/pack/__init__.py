"""From the files of a pack to a game: the shapes of its files, reading, building, checks, overlays, pictures, spreadsheets and the
cache of loaded packs."""
