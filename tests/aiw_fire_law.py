"""Which attacks The Arab-Israeli Wars allows, from the rules alone: each breach by a short name."""

from __future__ import annotations

from dataclasses import replace

from tests.aiw_fire_oracle import STRIKE_RANGE, Battle, Piece, alone, effect

MODES = {
    "direct_fire": "direct_fire",
    "opportunity_fire": "opportunity_fire",
    "indirect_fire": "indirect_fire",
    "overrun": "overrun",
    "close_assault": "close_assault",
}


def breaches(b: Battle) -> set[str]:
    found = {why for f in b.firers for why in attacker(b, f)} | {why for t in b.targets for why in target(b, t)}
    return found | whole(b)


def attacker(b: Battle, f: Piece) -> set[str]:
    """Basic VI.C.2 and the conditions of each attack."""
    found = set()
    if b.attack == "air_strike":
        if f.carried and f.distance > STRIKE_RANGE[f.weapon]:
            found.add("range")  # Advanced I.C.2
    else:
        found |= able(b, f)
    groups = [(t,) for t in b.targets] if alone(b) else [b.targets]
    if all(effect(b, f, group) == 0 for group in groups):
        found.add("weapon")  # Basic VI.D.4.c, d
    return found


def able(b: Battle, f: Piece) -> set[str]:
    found = set()
    if f.states & {"inverted", "dispersed"}:
        found.add("state")  # Basic VI.C.2.a
    if "down" in f.states:
        found.add("down")  # Optional I.C.4
    if "loaded" in f.states:
        found.add("passenger")  # Basic V.B.6
    if (f.strike or not f.points) and MODES[b.attack] not in f.abilities:
        found.add("mode")
    if f.strike:
        found |= brings(b, f)
    if b.attack in ("direct_fire", "opportunity_fire"):
        if "air_strike_only" in f.abilities and not f.strike:
            found.add("mode")  # UFT note 10
        if f.distance > f.range and not f.strike:
            found.add("range")  # Basic VI.C.2.b
        if not f.sees:
            found.add("sight")  # Basic VIII.B.1.a
    near = f.weapon == "(H)" and 4 * f.distance < f.range
    if b.attack == "indirect_fire" and not f.points and (near or f.distance > f.range):
        found.add("range")  # Standard II.A.2
    if b.attack in ("overrun", "close_assault") and (f.distance != 1 or f.afloat):
        found.add("next to it")  # Standard II.C.1.b, II.D.2.b, VI.E (combat in the canal) 2
    if b.attack == "overrun" and (f.on_road or f.works_here):
        found.add("moved")  # Standard II.D.2.d, II.D.3.a
    if b.attack == "close_assault" and (f.carried or f.on_road or f.quick):
        found.add("moved")  # Standard II.C.2; Advanced II.C.2.e
    return found


def brings(b: Battle, f: Piece) -> set[str]:
    """A helicopter with a strike in other fire (Advanced I.E.7)."""
    found = set()
    written = b.attack == "indirect_fire"
    if "jet" in f.id or (f.strike == "(H)") != written or (written and f.destructive):
        found.add("mode")  # Advanced I.B.3, I.E.7.a, I.E.7.b, III.C.1
    if f.distance > STRIKE_RANGE[f.strike]:
        found.add("range")  # Advanced I.C.2
    bare = replace(b, attack="air_strike", next_to=False)
    marked = [spotted(bare, t) for t in b.targets]
    if written and not any(spotted(replace(bare, smoke=False), t) for t in b.targets):
        found.add("spotted")  # Advanced I.C.4.b
    if b.attack == "direct_fire" and not all(marked):
        found.add("spotted")  # Advanced I.C.3.b
    return found


def target(b: Battle, t: Piece) -> set[str]:
    found = set()
    if "loaded" in t.states:
        found.add("passenger")  # Basic V.B.6.b
    high = t.flies and "down" not in t.states
    if high and b.attack in ("indirect_fire", "overrun", "close_assault"):
        found.add("flies")  # Advanced I.E.4, Optional I.C.3.c
    if t.flies and b.attack == "air_strike":
        found.add("flies")  # the weapons chart
    if b.attack == "close_assault" and t.id == "bridge":
        found.add("bridge")  # Standard V.H.4.b
    if not t.flies and b.attack == "direct_fire" and not spotted(b, t):
        found.add("spotted")  # Basic VIII.B.1.b
    if b.attack == "air_strike" and not alone(b):
        marker = any(f.carried for f in b.firers)  # Advanced I.C.3.b: under a marker, else as in direct fire
        if not spotted(b, t) or (marker and not spotted(replace(b, next_to=False), t)):
            found.add("spotted")  # Standard II.F.3.b
    return found


def spotted(b: Battle, t: Piece) -> bool:
    """Basic VII.D.3, D.4; Optional II.B.1.b."""
    near = b.next_to or (b.attack == "direct_fire" and any(f.distance <= 1 for f in b.firers))
    return not (b.terrain in ("woods", "town") or b.smoke) or "spotted" in t.states or near


def whole(b: Battle) -> set[str]:
    found = set()
    if b.attack == "overrun":
        if b.terrain in ("woods", "town") or b.works == "fort" or b.obstacle:
            found.add("ground")  # Standard II.D.3.b
        if any(t.target == "A" for t in b.targets) and any(f.weapon != "A" for f in b.firers):
            found.add("weapon")  # Standard II.D.2.e
    if b.attack == "air_strike" and alone(b) and any(f.carried for f in b.firers):
        bare = replace(b, next_to=False)
        if not any(spotted(bare, t) for t in b.targets):
            found.add("spotted")  # Advanced I.C.4.b
    if b.attack == "opportunity_fire" and len(b.targets) > 1 and not b.overrunning:
        carriers = {"carries_infantry", "carries_towed", "carries_three", "carries_any"}
        if not any(t.abilities & carriers for t in b.targets):
            found.add("one at a time")  # Standard II.E.3.d; who unloads is hit with its carrier (II.E.3.h)
    if b.attack == "close_assault" and b.minefield:
        found.add("ground")  # Standard II.C.6
    if b.attack in ("overrun", "close_assault") and b.terrain == "suez_canal":
        found.add("ground")  # Standard VI.E (combat in the canal) 3
    return found
