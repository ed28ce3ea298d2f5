"""Checks on resources: counters, prices, boxes and limits of what points buy."""

from __future__ import annotations

from dataclasses import replace

from scenarios.reading.shapes import check_known, place
from scenarios.rules.names import constant
from scenarios.rules.record_checks import AllowedNames, RecordChecks
from scenarios.rules.resources import PurchaseWay, Resource

QUESTION_INPUTS = frozenset({"wishes", "plan", "way", "more"})
"""Inputs that the question of a resource has without a declaration."""


class ResourceChecks(RecordChecks):
    """The checks on resources."""

    def resources(self) -> None:
        """Check every resource."""
        rules = self.rules
        for name, resource in rules.resources.items():
            if name in rules.procedures:
                self.findings.add(place(resource), f"there is a procedure {name!r} already; choose another name")
            for taken in sorted(QUESTION_INPUTS & {*rules.inputs, *rules.counters}):
                self.findings.add(
                    place(resource), f"its question has an input {taken!r} already; rename yours, or the counter"
                )
            self._resource(resource)

    def _resource(self, resource: Resource) -> None:
        unit = AllowedNames("turn", (), groups_by=self.words.by_prefixes)
        whole = replace(unit, unit=False)
        check_known(resource, "side", resource.side, self.pack.sides, "side", self.findings)
        if not resource.paid_by:
            self.findings.add(place(resource), "say under `paid_by` which counter holds the points")
        for name, formula in resource.paid_by.items():
            if check_known(resource, "paid_by", name, self.rules.counters, "counter", self.findings, name):
                if self.rules.counters[name].kind != "number":
                    self.findings.add(place(resource, "paid_by", name), f"{name!r} is no number; points are a number")
                self.formula(formula, unit, "flag")
        self.formula(resource.spends_up_to, whole, "number")
        for record in resource.barred:
            self.formula(record.when, unit, "flag")
        self.notes(resource.notes, whole)
        if not resource.ways:
            self.findings.add(place(resource), "say under `ways` what the points buy")
        for way in resource.ways.values():
            self._way(way, unit)

    def _way(self, way: PurchaseWay, asks: AllowedNames) -> None:
        boxes = {box for shape in self.pack.maps.values() for box in shape.boxes}
        entry = self.rules.entry
        for i, name in enumerate(way.from_):
            check_known(way, "from", name, boxes, "box", self.findings, i)
        check_known(way, "enters", way.enters, entry.ways if entry else (), "way onto the map", self.findings)
        for key in ("refills", "free", "delay", "enters"):
            if getattr(way, key) and not way.from_:
                self.findings.add(
                    place(way, key), f"`{key}` is about units; say under `from` which boxes they come from"
                )
        self.formula(way.price, asks, "number")
        self.formula(way.refills, asks, "flag")
        self.formula(way.delay, asks, "text")
        price = constant(way.price) if way.price is not None else None
        if price is not None and price < 0:
            self.findings.add(place(way, "price"), f"a price is never below 0, but this is {price}")
        for records in (way.barred, way.limits, way.free):
            for record in records:
                self.formula(record.when, asks, "flag")
        for limit in way.limits:
            self.formula(limit.at_most, asks, "number")
            self.formula(limit.before, asks, "number")
        for free in way.free:
            if free.count < 1:
                self.findings.add(place(free, "count"), "at least one unit is free; leave out the record if none is")
        self.notes(way.notes, replace(asks, unit=False))
        self._delay(way)

    def _delay(self, way: PurchaseWay) -> None:
        """Check that the tables of a delay say in how many turns units come."""
        if way.delay is None:
            return
        for name in sorted(self.texts(way.delay.expression)):
            table = self.pack.tables.get(name)
            if table is None:
                check_known(way, "delay", name, self.pack.tables, "table", self.findings)
            elif not any("turns" in result.effects for result in table.results.values()):
                self.findings.add(
                    place(way, "delay"),
                    f"no result of the table {name!r} has the effect `turns`; add it to the results",
                )
