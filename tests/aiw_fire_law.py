"""Which attacks The Arab-Israeli Wars allows, from the rules alone: each breach by a short name."""

from __future__ import annotations

from dataclasses import replace

from tests.aiw_fire_oracle import STRIKE_RANGE, Battle, Piece, attacks_singly, effect

MODES = {
    "direct_fire": "direct_fire",
    "opportunity_fire": "opportunity_fire",
    "indirect_fire": "indirect_fire",
    "overrun": "overrun",
    "close_assault": "close_assault",
}


def breaches(b: Battle) -> set[str]:
    violations = {violation for f in b.firers for violation in attacker(b, f)} | {
        violation for t in b.targets for violation in target(b, t)
    }
    return violations | attack_violations(b)


def attacker(b: Battle, f: Piece) -> set[str]:
    """Basic VI.C.2 and the conditions of each attack."""
    violations = set()
    if b.attack == "air_strike":
        if f.carried and f.distance > STRIKE_RANGE[f.weapon]:
            violations.add("range")  # Advanced I.C.2
    else:
        violations |= firer_violations(b, f)
    groups = [(t,) for t in b.targets] if attacks_singly(b) else [b.targets]
    if all(effect(b, f, group) == 0 for group in groups):
        violations.add("weapon")  # Basic VI.D.4.c, d
    return violations


def firer_violations(b: Battle, f: Piece) -> set[str]:
    violations = set()
    if f.states & {"inverted", "dispersed"}:
        violations.add("state")  # Basic VI.C.2.a
    if "down" in f.states:
        violations.add("down")  # Optional I.C.4
    if "loaded" in f.states:
        violations.add("passenger")  # Basic V.B.6
    if (f.strike or not f.points) and MODES[b.attack] not in f.abilities:
        violations.add("mode")
    if f.strike:
        violations |= brings(b, f)
    if b.attack in ("direct_fire", "opportunity_fire"):
        if "air_strike_only" in f.abilities and not f.strike:
            violations.add("mode")  # UFT note 10
        if f.distance > f.range and not f.strike:
            violations.add("range")  # Basic VI.C.2.b
        if not f.sees:
            violations.add("sight")  # Basic VIII.B.1.a
    is_too_near = f.weapon == "(H)" and 4 * f.distance < f.range
    if b.attack == "indirect_fire" and not f.points and (is_too_near or f.distance > f.range):
        violations.add("range")  # Standard II.A.2
    if b.attack in ("overrun", "close_assault") and (f.distance != 1 or f.afloat):
        violations.add("next to it")  # Standard II.C.1.b, II.D.2.b, VI.E (combat in the canal) 2
    if b.attack == "overrun" and (f.on_road or f.works_here):
        violations.add("moved")  # Standard II.D.2.d, II.D.3.a
    if b.attack == "close_assault" and (f.carried or f.on_road or f.quick):
        violations.add("moved")  # Standard II.C.2; Advanced II.C.2.e
    return violations


def brings(b: Battle, f: Piece) -> set[str]:
    """A helicopter with a strike in other fire (Advanced I.E.7)."""
    violations = set()
    is_indirect = b.attack == "indirect_fire"
    if "jet" in f.id or (f.strike == "(H)") != is_indirect or (is_indirect and f.destructive):
        violations.add("mode")  # Advanced I.B.3, I.E.7.a, I.E.7.b, III.C.1
    if f.distance > STRIKE_RANGE[f.strike]:
        violations.add("range")  # Advanced I.C.2
    distant_battle = replace(b, attack="air_strike", next_to=False)
    sightings = [is_spotted(distant_battle, t) for t in b.targets]
    if is_indirect and not any(is_spotted(replace(distant_battle, smoke=False), t) for t in b.targets):
        violations.add("spotted")  # Advanced I.C.4.b
    if b.attack == "direct_fire" and not all(sightings):
        violations.add("spotted")  # Advanced I.C.3.b
    return violations


def target(b: Battle, t: Piece) -> set[str]:
    violations = set()
    if "loaded" in t.states:
        violations.add("passenger")  # Basic V.B.6.b
    is_airborne = t.flies and "down" not in t.states
    if is_airborne and b.attack in ("indirect_fire", "overrun", "close_assault"):
        violations.add("flies")  # Advanced I.E.4, Optional I.C.3.c
    if t.flies and b.attack == "air_strike":
        violations.add("flies")  # the weapons chart
    if b.attack == "close_assault" and t.id == "bridge":
        violations.add("bridge")  # Standard V.H.4.b
    if not t.flies and b.attack == "direct_fire" and not is_spotted(b, t):
        violations.add("spotted")  # Basic VIII.B.1.b
    if b.attack == "air_strike" and not attacks_singly(b):
        marker = any(f.carried for f in b.firers)  # Advanced I.C.3.b: under a marker, else as in direct fire
        if not is_spotted(b, t) or (marker and not is_spotted(replace(b, next_to=False), t)):
            violations.add("spotted")  # Standard II.F.3.b
    return violations


def is_spotted(b: Battle, t: Piece) -> bool:
    """Basic VII.D.3, D.4; Optional II.B.1.b."""
    is_adjacent = b.next_to or (b.attack == "direct_fire" and any(f.distance <= 1 for f in b.firers))
    return not (b.terrain in ("woods", "town") or b.smoke) or "spotted" in t.states or is_adjacent


def attack_violations(b: Battle) -> set[str]:
    violations = set()
    if b.attack == "overrun":
        if b.terrain in ("woods", "town") or b.works == "fort" or b.obstacle:
            violations.add("ground")  # Standard II.D.3.b
        if any(t.target == "A" for t in b.targets) and any(f.weapon != "A" for f in b.firers):
            violations.add("weapon")  # Standard II.D.2.e
    if b.attack == "air_strike" and attacks_singly(b) and any(f.carried for f in b.firers):
        distant_battle = replace(b, next_to=False)
        if not any(is_spotted(distant_battle, t) for t in b.targets):
            violations.add("spotted")  # Advanced I.C.4.b
    if b.attack == "opportunity_fire" and len(b.targets) > 1 and not b.overrunning:
        carriers = {"carries_infantry", "carries_towed", "carries_three", "carries_any"}
        if not any(t.abilities & carriers for t in b.targets):
            violations.add("one at a time")  # Standard II.E.3.d; who unloads is hit with its carrier (II.E.3.h)
    if b.attack == "close_assault" and b.minefield:
        violations.add("ground")  # Standard II.C.6
    if b.attack in ("overrun", "close_assault") and b.terrain == "suez_canal":
        violations.add("ground")  # Standard VI.E (combat in the canal) 3
    return violations
