"""A game for other tabletops: pictures with a manifest for any of them, and saves of Tabletop Simulator.

`manifest` draws faces, maps and charts and describes each picture. `simulator` makes a save for each scenario.
"""
