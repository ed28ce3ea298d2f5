"""The map of Yom Kippur: every hex that the rulebook names lies on the bank and the ground that it asks for."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

import pytest

from scenarios.areas.resolving import Resolver
from scenarios.model.areas import Area
from scenarios.model.boards import BoardPath
from scenarios.model.hexes import Hex, distance, ends, hexside, neighbours, sides
from scenarios.model.maps import HexMap
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack

GAME, FINDINGS = read_game(find_pack("yom_kippur"), [], False)
assert GAME is not None
_MAIN_MAP = GAME.maps["main"]
assert isinstance(_MAIN_MAP, HexMap)
MAP = _MAIN_MAP

# What the rulebook says, typed from its text. Sections 4.1 to 4.4 have the same Israeli hexes.
FORTS = {
    "botzer": "19.21", "budapst": "54.19", "drora": "49.24", "ktuba": "44.23", "lakekan": "22.22", "lhtznt": "51.24",
    "lituf": "15.17", "mafzeah": "9.17", "masrek": "4.18", "matzmd": "22.23", "mfrkt": "38.23", "milano": "42.23",
    "nisan": "5.17", "nozel": "32.23", "orkal": "55.24", "purkan": "29.24",
}  # fmt: skip
ISRAELI = {
    "4.1": "48.15 10.11 51.24 10.14 22.04 17.01 10.01 23.20 27.14 50.19 50.01",
    "4.5": "54.19 48.17 46.21 46.20 44.18 46.16 48.16 43.18 39.18 33.18 33.17 29.24 30.14 29.15 28.15 27.15 27.14 "
    "26.07 22.12 20.12 17.12 16.10 16.11 14.11 11.12 9.11 9.03 9.17 5.17 4.18",
    "4.6": "54.19 50.17 48.16 48.17 46.19 45.19 44.18 43.18 42.18 41.15 40.15 40.14 39.15 39.18 37.15 33.18 27.17 "
    "29.15 28.15 28.14 27.12 27.16 27.15 27.14 26.14 25.17 23.18 22.16 22.17 22.18 21.17 20.15 18.13 17.13 16.12 "
    "16.10 14.12 13.13 11.12 9.12 9.14 9.15 9.16 9.03 9.17 5.17 4.18",
}
EGYPTIAN_WEST = {
    "4.1": "59.25",
    "4.1a": "20.25 18.24 16.20 39.25 32.25 25.25 14.18 10.18",
    "4.5": "51.28 43.28 39.29 32.28 26.28 17.24 16.20 12.21 39.25 42.24 32.24 29.25 28.25 24.24 20.25 13.18",
    "4.6": "51.28 43.28 39.29 32.28 26.28 17.24 16.20 12.21 42.24 39.25 32.24 29.25 24.24 20.25 13.18",
    "1.15c": "27.35",
}
EGYPTIAN_EAST = {
    "4.1": "58.23",
    "4.5": "54.20 55.21 47.22 47.21 45.22 43.23 45.21 41.21 39.21 38.20 39.23 37.21 36.20 35.21 32.23 33.21 31.20 "
    "29.21 27.20 22.21 24.20 25.18 23.17 21.20 23.20 18.14 17.16 17.14 16.14 15.15 13.15 14.14 14.15 11.15 10.15 "
    "10.16 10.17 44.21",
    "4.6": "54.20 47.21 46.21 45.21 44.20 44.21 43.21 41.21 39.21 38.20 38.21 37.21 36.20 35.21 34.19 34.20 33.20 "
    "33.21 32.19 32.20 31.20 29.21 27.20 24.20 25.18 21.20 23.20 22.21 17.17 17.16 16.15 16.17 15.17 15.15 14.14 "
    "14.15 13.15 13.17 12.16 11.15 11.16 11.17 10.15 10.16 10.17",
}
BRIDGES = ("42.24", "32.24", "24.24", "13.18")  # engineers with a bridge emplaced, 4.5 and 4.6
# Mechanized units, guns and headquarters near the northern marsh: on firm ground or on a road (1.4a).
MECHANIZED_NORTH = {
    "4.5": "48.16 48.17 46.20 44.18 46.16 43.18 45.22 45.21 43.23 41.21",
    "4.6": "45.19 44.21 43.21 42.18",
}
WATER = ("sea", "lake")
CANAL = frozenset({"suez_canal", "suez_canal_no_bridge"})


def words(lists: dict[str, str]) -> list[str]:
    return sorted({word for text in lists.values() for word in text.split()})


EAST = sorted({*words(ISRAELI), *words(EGYPTIAN_EAST), *FORTS.values()})
WEST = words(EGYPTIAN_WEST)


def dry(hex: Hex) -> bool:
    return MAP.terrain[hex] not in WATER


def is_canal(a: Hex, b: Hex) -> bool:
    return bool(CANAL & MAP.hexsides.get(hexside(a, b), frozenset()))


def zone(name: str) -> frozenset[Hex]:
    return frozenset(MAP.zones[name])


def hexes_named(text: str) -> frozenset[Hex]:
    return frozenset(MAP.hex(word) for word in text.split())


def west_of(hex: Hex) -> Hex:
    """The hex straight west: x.y+1 beyond x.y."""
    x, y = MAP.name(hex).split(".")
    return MAP.hex(f"{x}.{int(y) + 1:02}")


def flood(start: Iterable[Hex], blocked_hexes: frozenset[Hex] = frozenset()) -> frozenset[Hex]:
    """Every dry hex that can be reached on land without crossing the canal."""
    flooded_hexes = {hex for hex in start if dry(hex)} - blocked_hexes
    queue = list(flooded_hexes)
    for hex in queue:
        for neighbour in neighbours(hex):
            if (
                neighbour in MAP
                and neighbour not in flooded_hexes | blocked_hexes
                and dry(neighbour)
                and not is_canal(hex, neighbour)
            ):
                flooded_hexes.add(neighbour)
                queue.append(neighbour)
    return frozenset(flooded_hexes)


def road(name: str) -> BoardPath:
    (road_path,) = [path for path in MAP.paths if path.name == name]
    return road_path


def roads_from(start: Hex) -> set[Hex]:
    """Every hex that roads reach from here."""
    road_hexes, queue = {start}, [start]
    for hex in queue:
        for neighbour in neighbours(hex):
            side_kinds = MAP.path_sides.get(hexside(hex, neighbour), frozenset())
            if neighbour not in road_hexes and side_kinds & {"road", "pcb_road"}:
                road_hexes.add(neighbour)
                queue.append(neighbour)
    return road_hexes


def test_the_sheet() -> None:
    assert MAP.north == "right"
    assert hexes_named("27.35") <= MAP.edge("west")
    assert hexes_named("50.01 17.01 10.01") <= MAP.edge("east")
    assert MAP.hex("1.35") in MAP.edge("south")
    assert MAP.hex("60.01") in MAP.edge("north")
    assert MAP.orientation == "flat"


@pytest.mark.parametrize("name", EAST)
def test_hexes_east_of_the_canal(name: str) -> None:
    assert dry(MAP.hex(name))
    assert MAP.hex(name) in zone("east_of_canal")


@pytest.mark.parametrize("name", WEST)
def test_hexes_west_of_the_canal(name: str) -> None:
    assert dry(MAP.hex(name))
    assert MAP.hex(name) in zone("west_of_canal")


def test_the_canal_cuts_the_map() -> None:
    east = flood(MAP.edge("east"))
    west = flood(MAP.edge("west"))
    assert not east & MAP.edge("west")
    assert east == zone("east_of_canal")
    assert west == zone("west_of_canal")
    assert east | west == {hex for hex in MAP.hexes if dry(hex)}
    for side, side_kinds in MAP.hexsides.items():
        if side_kinds & CANAL:
            assert len({side.a, side.b} & east) == 1


@pytest.mark.parametrize("fort", [fort for fort in FORTS if fort != "budapst"])
def test_forts_stand_on_the_bank(fort: str) -> None:
    fort_hex = MAP.hex(FORTS[fort])
    assert MAP.places[fort].hexes == (fort_hex,)
    assert MAP.terrain[fort_hex] == "bar_lev_hex"
    west_hex = west_of(fort_hex)
    on_lake = fort in ("lituf", "botzer", "lakekan")
    if on_lake:
        assert any(MAP.terrain[neighbour] == "lake" for neighbour in neighbours(fort_hex))
    else:
        assert is_canal(fort_hex, west_hex)
        assert west_hex in zone("west_of_canal")


def test_the_fort_on_the_coast() -> None:
    fort_hex = MAP.hex(FORTS["budapst"])
    assert any(MAP.terrain[neighbour] == "sea" for neighbour in neighbours(fort_hex))
    assert not any(CANAL & MAP.hexsides.get(side, frozenset()) for side in sides(fort_hex))


def test_the_fort_zone_has_the_sixteen() -> None:
    assert zone("bar_lev_forts") == hexes_named(" ".join(FORTS.values()))
    fort_hexes = {hex for hex, kind in MAP.terrain.items() if kind == "bar_lev_hex"}
    assert fort_hexes == zone("bar_lev_forts")


@pytest.mark.parametrize("name", BRIDGES)
def test_emplaced_bridges_lead_straight_east(name: str) -> None:
    bridge_hex = MAP.hex(name)
    x, y = name.split(".")
    east_hex = MAP.hex(f"{x}.{int(y) - 1:02}")
    assert MAP.hexsides[hexside(bridge_hex, east_hex)] == {"suez_canal"}
    assert east_hex in zone("east_of_canal")


def test_no_bridges_in_the_gulf() -> None:
    """The canal's southernmost hexside is west of 4.18 (1.14g)."""
    southern = [MAP.name(hex) for side, side_kinds in MAP.hexsides.items() if side_kinds & CANAL for hex in side]
    assert min(int(name.split(".")[0]) for name in southern) == 4
    assert all(MAP.terrain[MAP.hex(name)] == "sea" for name in ("3.18", "3.19"))


def test_odd_columns_lie_east() -> None:
    """So that the canal between 38.23 and 55.24 runs without jumps."""
    assert distance(MAP.hex("42.23"), MAP.hex("43.24")) == 1
    assert distance(MAP.hex("42.23"), MAP.hex("43.22")) == 2
    bank = [MAP.hex(f"{x}.{23 if x % 2 == 0 else 24}") for x in range(29, 60)]
    assert all(distance(a, b) == 1 for a, b in pairwise(bank))


@pytest.mark.parametrize(
    ("name", "start", "end", "zone_id"),
    [("Lateral Road", "48.15", "10.11", "lateral_road"), ("Artillery Road", "51.24", "10.14", "artillery_road")],
)
def test_named_roads_have_their_ends(name: str, start: str, end: str, zone_id: str) -> None:
    path = road(name)
    assert (path.hexes[0], path.hexes[-1]) == (MAP.hex(start), MAP.hex(end))
    assert all(distance(a, b) == 1 for a, b in pairwise(path.hexes))
    assert len(set(path.hexes)) == len(path.hexes)
    assert set(path.hexes) == zone(zone_id) <= zone("east_of_canal")


def test_roads_stay_dry_and_on_their_bank() -> None:
    for path in MAP.paths:
        assert all(dry(hex) for hex in path.hexes), path.name
        assert not any(is_canal(a, b) for a, b in pairwise(path.hexes)), path.name


def test_each_bank_has_one_net_of_roads() -> None:
    on_roads = {hex for path in MAP.paths if path.kind != "army_boundary" for hex in path.hexes}
    assert roads_from(MAP.hex("27.14")) == on_roads & zone("east_of_canal")
    assert roads_from(MAP.hex("27.35")) == on_roads & zone("west_of_canal")
    assert hexes_named("50.01 25.01 17.01 10.01 22.04 9.03 26.07 16.10") <= on_roads
    assert hexes_named(" ".join(FORTS.values())) - hexes_named("19.21 32.23 15.17") <= on_roads


def test_pcb_roads_end_at_the_canal() -> None:
    pcb_roads = [path for path in MAP.paths if path.kind == "pcb_road"]
    assert len(pcb_roads) > 1
    for path in pcb_roads:
        assert MAP.hexsides[hexside(path.hexes[-1], west_of(path.hexes[-1]))] == {"suez_canal"}
    assert {path.hexes[0] for path in pcb_roads} == zone("pcb_starts")
    assert {path.hexes[-1] for path in pcb_roads} == zone("pcb_ends")
    assert {west_of(path.hexes[-1]) for path in pcb_roads} == zone("pcb_landings")


def test_the_army_boundary_parts_the_west_bank() -> None:
    line = zone("army_boundary")
    north, south = zone("north_of_army_boundary"), zone("south_of_army_boundary")
    assert north & south == line
    assert north | south == zone("west_of_canal")
    assert flood(hexes_named("25.25"), line) == north - line
    assert flood(hexes_named("10.18"), line) == south - line
    assert hexes_named("39.25 32.25 25.25 42.24 59.25") <= north - line
    assert hexes_named("20.25 18.24 16.20 14.18 10.18 13.18") <= south - line


def test_west_of_the_artillery_road() -> None:
    area = zone("west_of_artillery_road")
    assert zone("artillery_road") <= area <= zone("east_of_canal")
    forts = [FORTS[fort] for fort in FORTS if fort not in ("masrek", "nisan", "mafzeah", "orkal", "budapst")]
    assert hexes_named(" ".join(forts)) <= area
    assert not area & hexes_named("48.15 27.14 10.11 33.17 39.18 54.19")


@pytest.mark.parametrize("name", words(MECHANIZED_NORTH))
def test_mechanized_units_stand_firm(name: str) -> None:
    unit_hex = MAP.hex(name)
    assert MAP.terrain[unit_hex] != "swamp" or any(unit_hex in path.hexes for path in MAP.paths)


@pytest.mark.parametrize("zone_id", ["entry_a", "entry_b", "entry_c", "east_edge"])
def test_israelis_enter_from_the_east(zone_id: str) -> None:
    assert zone(zone_id) <= MAP.edge("east") & zone("east_of_canal")


def test_egyptians_enter_from_the_west() -> None:
    assert zone("west_edge") == MAP.edge("west") & zone("west_of_canal")
    assert zone("soviet_entry") == hexes_named("27.35")
    assert zone("port_said_crossing") == hexes_named("59.25 58.23")
    assert zone("october_8_objectives") == hexes_named("44.21 24.20 10.15")


@pytest.mark.parametrize(("centre", "radius"), [("39.25", 3), ("32.25", 3), ("25.25", 3), ("14.18", 3), ("10.18", 3)])
def test_divisions_of_4_1a_have_room_west(centre: str, radius: int) -> None:
    nearby_hexes = {hex for hex in zone("west_of_canal") if distance(hex, MAP.hex(centre)) <= radius}
    assert len(nearby_hexes) > 10
    assert any(is_canal(hex, neighbour) for hex in nearby_hexes for neighbour in neighbours(hex) if neighbour in MAP)


def test_boxes_and_tracks() -> None:
    resolver = Resolver(MAP)
    for box in ("ghq_holding", "exploitation_reserve", "sam_suppression", "sam_zone", "egyptian_tank_steps"):
        assert resolver.places(Area(box=box)) == {f"box:{box}"}
    assert MAP.tracks["turns"].labels == tuple(str(turn) for turn in range(1, 13))
    assert not list(resolver.findings)


def test_the_drawn_canal_follows_its_hexsides() -> None:
    """Corners in columns and hex heights from the centre of the top left hex, which is hex (0, 0)."""
    banks = []
    for side, side_kinds in MAP.hexsides.items():
        if side_kinds & CANAL:
            banks += [(Fraction(x, 3), Fraction(x + 2 * y, 6)) for x, y in ends(side)]
    board = MAP.placed[0].board
    assert board.grid.name(Hex(0, 0)) == "1.35"
    for line in board.shape.lines.values():
        assert all(-1 < x < 60 and -1 <= y < 35 for x, y in line.points)
        if line.kind == "canal":
            for x, y in line.points:
                assert min(abs(x - bank_x) + abs(y - bank_y) for bank_x, bank_y in banks) < 2


# Latitude and longitude in hundredths of a degree, from an atlas.
ATLAS = {
    "port_said": (3126, 3230), "qantara_west": (3085, 3231), "el_ballah": (3075, 3231), "el_firdan": (3070, 3234),
    "ismailia": (3060, 3227), "deversoir": (3043, 3235), "abu_suweir": (3057, 3210), "fayid": (3033, 3230),
    "kabrit": (3025, 3249), "geneifa": (3020, 3243), "shallufa": (3013, 3255), "suez": (2997, 3255),
    "baluza": (3098, 3255), "romani": (3100, 3265), "tasa": (3048, 3270), "gidi_pass": (3022, 3307),
    "mitla_pass": (3001, 3292), "chinese_farm": (3045, 3243),
}  # fmt: skip


@pytest.mark.parametrize("place", ATLAS)
def test_places_lie_as_in_an_atlas(place: str) -> None:
    """Within some seven km of 2.60 km a column and 3.18 km a hex, without the bend."""
    latitude, longitude = ATLAS[place]
    east, north = (longitude - 3245) * 0.959, (latitude - 3050) * 1.1085
    map_x, map_y = 26.99 + 0.035 * east + 0.385 * north, 20.44 - 0.314 * east - 0.016 * north
    offsets = []
    for hex in MAP.places[place].hexes:
        x, y = (int(part) for part in MAP.name(hex).split("."))
        offsets.append((((x - map_x) * 2.6) ** 2 + ((y - x % 2 / 2 - map_y) * 3.18) ** 2) ** 0.5)
    assert min(offsets) < 7.5
