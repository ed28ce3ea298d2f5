"""How large maps, tracks and boxes are printed, so that the kit's counters fit them.

Maps are drawn at one size, the module's, whose boards never change. A kit prints the drawing larger or smaller.
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
    """How much larger than usual what holds single counters is: tracks and boxes."""
    return options.counter_size / SIZE


def map_scale(field: HexMap | PointMap, options: Options) -> float:
    """How much larger than drawn a map is printed."""
    return piece_scale(options) * (HEX_WIDTH / (ROOT3 * SIDE) if isinstance(field, HexMap) else 1.0)
