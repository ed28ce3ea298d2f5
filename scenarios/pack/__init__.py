"""From the files of a pack to a game: the shapes of the files, loading, building, checks, overlays, pictures, spreadsheets, and the
cache of loaded packs.
"""
