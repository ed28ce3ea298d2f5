"""`assistant odds` for The Arab-Israeli Wars: from words and files to an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from assistant.attacks import BadQuestion, Value
from assistant.games.arab_israeli_wars.asking import Words, hex_of, read_position, split, switched
from assistant.games.arab_israeli_wars.battle import OTHER_NAMES, Battle, Fighter
from assistant.games.arab_israeli_wars.battle_file import battle_file
from assistant.games.arab_israeli_wars.battle_position import Asked, battle_from, on_the_map
from assistant.games.arab_israeli_wars.best_command import best_command
from assistant.games.arab_israeli_wars.fire import Fire, fire
from assistant.games.arab_israeli_wars.fire_json import fire_json, what_if_json
from assistant.games.arab_israeli_wars.fire_text import fire_text
from assistant.games.arab_israeli_wars.ground import checked
from assistant.games.arab_israeli_wars.looking import by_the_rules
from assistant.games.arab_israeli_wars.moving_target import moving_battle
from assistant.games.arab_israeli_wars.outcomes import expected
from assistant.games.arab_israeli_wars.sourced import of_fire, with_sources
from assistant.games.arab_israeli_wars.whatif import changes, next_column
from assistant.games.arab_israeli_wars.whatif_text import what_if_text
from assistant.parts import Reply
from assistant.words import read_answer, read_words
from scenarios.game import Game
from scenarios.position import Position
from scenarios.reading.findings import instead

BARE = {"air_strike": "points", "indirect_fire": "off_board", "interdiction": "off_board"}
"""Attacks by what has no counter (Standard II.B, II.F), and what tells its points."""
SORT = {"air_strike": "strike", "indirect_fire": "battery", "interdiction": "battery"}
BARE_PART = re.compile(r"(\d+)(A|G|H|\(H\)|M)((?::[^:]*)*)")


def odds_command(
    game: Game,
    *,
    words: Words = (),
    battle: Path | None = None,
    position: Path | Position | None = None,
    from_: str = "",
    at: str = "",
    attack: str = "",
    firers: str = "",
    targets: str = "",
    support: Words = (),
    side: str = "",
    destructive: str = "",
    overrun: str = "",
    seen: str | None = None,
    rulings: Words = (),
    what_if: bool = False,
    best: bool = False,
    aim: str = "",
    anyway: bool = False,
    path: str = "",
) -> Reply:
    """The odds of an attack given by words, by a battle file, or from a position."""
    if battle is not None and position is not None:
        raise BadQuestion("give the battle by --battle or from a --position, not both")
    if position is not None:
        held, ground = read_position(game, position, rulings)
        everyone = on_the_map(game, held)
        named = next((word for word in words if "=" not in word), "")
        asked = Asked(
            attack=attack or named or "direct_fire", side=side, support=tuple(support), destructive=destructive
        )
        kind = _attack(game, asked.attack)
        told, of_firers = _told(game, kind, [word for word in words if "=" in word])
        asked = Asked(
            asked.attack,
            tuple(hex_of(ground, name) for name in split(from_)),
            None if not at or best else hex_of(ground, at),
            tuple(split(firers)),
            tuple(split(targets)),
            asked.support,
            destructive,
            hex_of(ground, overrun) if overrun else None,
            side,
            None if seen is None else seen == "yes",
            told,
            of_firers,
        )
        if best:
            return best_command(game, ground, everyone, asked, split(at), aim)
        if path:
            walked = moving_battle(game, ground, held, everyone, asked, split(path))
            return _reply(fire(walked, by_the_rules, choose=not asked.firers, anyway=anyway), what_if)
        if asked.at is None:
            raise BadQuestion("say which hex is attacked: --at HEX (Basic VI.C.4)")
        question = battle_from(game, ground, everyone, asked)
        chosen = not asked.firers and not asked.targets
        return _reply(fire(question, by_the_rules, choose=chosen, anyway=anyway), what_if)
    if path:
        raise BadQuestion("a path is walked on a map; give --position FILE")
    if best:
        raise BadQuestion("the best plan is worked out from a position; give --position FILE")
    more = {
        "from": from_, "at": at, "attack": attack, "firers": firers, "targets": targets, "support": support, "side": side,
        "destructive": destructive, "overrun": overrun, "seen": seen, "aim": aim,
    }  # fmt: skip
    if strange := next((name for name, told in more.items() if told), ""):
        where = "in the battle file" if battle is not None else "in words"
        raise BadQuestion(f"--{strange} picks from a position; say it {where}, or give --position FILE")
    if battle is not None:
        if words:
            raise BadQuestion(f"{words[0]!r} doesn't go with --battle; write it into the file")
        return _reply(fire(battle_file(game, battle, switched(rulings)), by_the_rules, anyway=anyway), what_if)
    return _reply(fire(_from_words(game, words, checked(game, switched(rulings))), anyway=anyway), what_if)


def _attack(game: Game, name: str) -> str:
    kind = OTHER_NAMES.get(name, name)
    if kind not in game.attacks:
        known = [*game.attacks, *OTHER_NAMES]
        raise BadQuestion(f"{game.id} has no attack {name!r}; {instead(name, known)}")
    return kind


def _from_words(game: Game, words: Words, rulings: Mapping[str, str]) -> Battle:
    """The battle that words tell of by itself, without a map."""
    attack = words[0] if words and "=" not in words[0] else ""
    if not attack:
        raise BadQuestion(f"say which attack: {', '.join([*game.attacks, *OTHER_NAMES])}")
    kind = _attack(game, attack)
    shape = game.attacks[kind]
    bare, rest = _without_counter(game, kind, words[1:])
    groups, inputs = read_words(game, kind, rest)

    def fighters(group: str) -> tuple[Fighter, ...]:
        asked = shape.groups[group].inputs
        return tuple(
            Fighter(
                str(one["id"]),
                str(one["name"]),
                states=frozenset(state for state in game.states if one[state] is True),
                nation=str(one["nation"]),
                told={key: one[key] for key in asked if key in one},
            )
            for one in groups.get(group, ())
        )

    both = (*fighters(shape.attackers), *bare), fighters(shape.defenders)
    return Battle(game, attack, *both, None, inputs, rulings=rulings)


def _without_counter(game: Game, kind: str, words: Words) -> tuple[list[Fighter], list[str]]:
    """Strikes and batteries that have no counter, by points and type as in strikes=21A or firers=15(H):ammunition=2; and
    the words that are left."""
    shape = game.attacks[kind]
    asked = shape.groups[shape.attackers].inputs
    found: list[Fighter] = []
    rest: list[str] = []
    for word in words:
        key, _, text = word.partition("=")
        parts = text.split(",") if key == shape.attackers and kind in BARE else []
        named = [part for part in parts if not BARE_PART.fullmatch(part)]
        if named == parts:
            rest.append(word)
            continue
        for points, weapon, more in (m.groups() for part in parts if (m := BARE_PART.fullmatch(part))):
            told: dict[str, Value] = {BARE[kind]: int(points)} | ({"kind": weapon} if kind == "air_strike" else {})
            for one in filter(None, more.split(":")):
                name, _, value = one.partition("=")
                if name not in asked:
                    raise BadQuestion(f"nothing called {name!r} is asked of {key}; {instead(name, asked)}")
                told[name] = read_answer(game, name, asked[name], value or "true")
            found.append(Fighter("support", f"{weapon} {SORT[kind]}", told=told, weapon=weapon))
        rest += [f"{key}={','.join(named)}"] * bool(named)
    return found, rest


def _told(game: Game, kind: str, words: Words) -> tuple[dict[str, Value], dict[str, Value]]:
    """INPUT=VALUE words: what is told of the battle, and what is told of every firer."""
    shape = game.attacks[kind]
    of_firers = shape.groups[shape.attackers].inputs
    told: dict[str, Value] = {}
    each: dict[str, Value] = {}
    for word in words:
        key, _, text = word.partition("=")
        if key in shape.inputs:
            told[key] = read_answer(game, key, shape.inputs[key], text)
        elif key in of_firers:
            each[key] = read_answer(game, key, of_firers[key], text)
        else:
            raise BadQuestion(f"{kind} asks nothing called {key!r}; {instead(key, [*shape.inputs, *of_firers])}")
    return told, each


def _reply(held: Fire, what_if: bool) -> Reply:
    return with_sources(_worked_out(held, what_if), of_fire(held))


def _worked_out(held: Fire, what_if: bool) -> Reply:
    table = held.battle.game.tables[held.battle.shape.table]
    if not what_if:
        return Reply(lambda: fire_text(held), lambda: fire_json(held))
    following = next_column(table, held.answers[0]) if len(held.answers) == 1 else None
    found = changes(held, by_the_rules) if held.answers else ()

    def text() -> Iterator[str]:
        yield from fire_text(held)
        yield from what_if_text(held.battle, expected(held.together), following, found)

    return Reply(text, lambda: {**fire_json(held), "what_if": what_if_json(held.battle, following, found)})
