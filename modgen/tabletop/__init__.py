"""A game for other tables: pictures with a manifest for any of them, and saves of Tabletop Simulator.

`manifest` draws faces, maps and charts and says what each picture is; `simulator` sets up each scenario as a save of its own.
"""
