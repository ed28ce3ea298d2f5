"""What a result does to a force: losses, break-downs, retreats (16.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.games.october_war.forces import Army, Force


def lose(army: Army, force: Force, losses: int, feared: bool = False) -> Force:
    """Take losses: each breaks down one large unit or eliminates one small one (16.1).

    A large unit without counters to break down into goes whole and counts as its three parts (9.8); its owner takes
    such a loss last. `feared`: the enemy chooses.
    """
    present = list(force.present)
    while losses > 0:
        hit = _next(army, present, force, feared)
        if hit is None:
            break
        parts = army.kinds[hit].parts
        present[hit] -= 1
        if parts and army.breaks(present, force.apart, hit):
            losses -= 1
            for part, count in parts.items():
                present[part] += count
        else:
            losses -= sum(parts.values()) or 1
    return Force(tuple(present), force.away, force.apart)


def _next(army: Army, present: Sequence[int], force: Force, feared: bool) -> int | None:
    """Which kind takes the next loss, if any is left."""
    if feared or not army.scarce:
        return next((i for i in (army.feared if feared else army.order) if present[i]), None)
    able = [i for i in army.order if present[i]]
    spared = (i for i in able if not army.kinds[i].parts or army.breaks(present, force.apart, i))
    return next(spared, able[0] if able else None)


def can_leave(army: Army, force: Force) -> bool:
    """Whether anybody can retreat (16.4)."""
    return army.policy.can_retreat and any(force.present[i] for i in army.leavers)


def can_all_leave(army: Army, force: Force) -> bool:
    """Whether a side may retreat by choice: all of it or none (16.3); static units go down with it (16.4 (8))."""
    return can_leave(army, force) and not any(force.present[i] for i in army.stuck)


def leave(army: Army, force: Force) -> Force:
    """All retreat who can; static units are eliminated instead, others who can't stay (16.4)."""
    goes = [(i, force.present[i]) for i in army.leavers if force.present[i]]
    gone = sum(army.kinds[i].points * n for i, n in goes)
    stay = tuple(n if i in army.stuck else 0 for i, n in enumerate(force.present))
    apart = force.apart
    if any(stay):
        for i, n in goes:
            apart = army.apart(apart, i, n)
    return Force(stay, force.away + gone, apart)


def leave_one(army: Army, force: Force) -> Force:
    """One unit retreats."""
    present = list(force.present)
    goes = next(i for i in army.leavers if present[i])
    present[goes] -= 1
    return Force(tuple(present), force.away + army.kinds[goes].points, army.apart(force.apart, goes))


def suffer(army: Army, force: Force, effects: Mapping[str, str], feared: bool = False) -> Force:
    """One result on a force, by its owner's policy (16.1, 16.3, 16.4)."""
    policy = army.policy
    if "retreat" in effects:
        if policy.retreats == "obey" and can_leave(army, force):
            return leave_one(army, force) if effects["retreat"] == "1" else leave(army, force)
        return lose(army, force, int(effects["or_losses"]), feared)
    losses = int(effects.get("losses", "0"))
    after = lose(army, force, losses, feared)
    if policy.dodge == "never" or not losses or not can_all_leave(army, force):
        return after
    if policy.dodge == "last" and any(after.present):
        return after
    spared = lose(army, force, max(0, losses - army.spared), feared)
    return leave(army, spared) if can_all_leave(army, spared) else after
