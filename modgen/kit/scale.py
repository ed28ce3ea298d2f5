"""The printed size of maps, tracks and boxes, so that the kit's counters fit them.

Maps are drawn at one size, that of the module, whose boards never change. A kit prints the drawing larger or smaller.
"""

from __future__ import annotations

from art.counters.slots import SIZE
from art.geometry import ROOT3
from art.maps.hexmap import SIDE
from art.sheets.mapsheet import HEX_WIDTH
from modgen.kit.options import Options
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap


def piece_scale(options: Options) -> float:
    """The size of tracks and boxes, which hold single counters, relative to the default."""
    return options.counter_size / SIZE


def map_scale(field: HexMap | PointMap, options: Options) -> float:
    """The printed size of a map relative to its drawing."""
    return piece_scale(options) * (HEX_WIDTH / (ROOT3 * SIDE) if isinstance(field, HexMap) else 1.0)
