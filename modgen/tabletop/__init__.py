"""A game for other tables: pictures with a manifest for any of them, and saves of Tabletop Simulator."""
