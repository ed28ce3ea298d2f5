"""Makes the files of a job: kit, module, texts, cut files, pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator

from art.counters.face import NoRoom
from art.images import NoPicture
from art.svg import to_bytes
from modgen.answer_texts import table_lines
from modgen.build_jobs import BuildJob, BuildResult, Output, Tell
from modgen.cache import Cache
from modgen.kit.calibration import calibration_pdf
from modgen.kit.cut import cut_file
from modgen.kit.kit import kit_name, lay_out, make_kit
from modgen.kit.options import suffix
from modgen.kit.paper import WrongOption
from modgen.kit.pngs import pngs
from modgen.kit.texts import overlaid
from modgen.notices import notice
from modgen.render import CannotDraw
from modgen.tabletop.manifest import tabletop
from modgen.tabletop.simulator import simulator
from modgen.typesetting import ProcessStopped
from modgen.vmod.files.lock import CannotBuild
from modgen.vmod.files.locked_build import make_module
from scenarios.model.game import Game
from scenarios.pack.export import everything
from scenarios.pack.loading import load, pause_collector
from scenarios.reading.findings import PackError


def make(job: BuildJob, cache: Cache, tell: Tell = lambda phase: None) -> BuildResult:
    """The files of a job, or a sentence or findings if it fails."""
    try:
        with pause_collector():
            game = load(job.game, job.overlays, with_config_overlays=job.standing)
            return BuildResult(game.id, tuple(outputs(game, job, cache, tell)))
    except PackError as error:
        return BuildResult(findings=tuple(map(str, error.findings)))
    except (CannotBuild, CannotDraw, NoPicture, ProcessStopped) as error:
        return BuildResult(failure=f"{job.game}: {error}")
    except MemoryError:
        return BuildResult(failure=f"{job.game}: {ProcessStopped()}")
    except (WrongOption, NoRoom) as error:
        return BuildResult(wrong=str(error))


def outputs(game: Game, job: BuildJob, cache: Cache, tell: Tell) -> Iterator[Output]:
    """Every file that a job asks for."""
    options = job.options
    if "json" in job.formats:
        yield from _texts(game)
    if "kit" in job.formats:
        yield Output(kit_name(game, options), make_kit(game, options, cache, tell))
    if "module" in job.formats:
        yield Output(f"{game.id}.vmod", make_module(game, cache, job.keeps_lock, new_lock=job.new_lock))
    if "cut" in job.formats:
        for sheet in lay_out(game, options):
            name = f"cut/{game.id}-sheet-{sheet.number}-{options.paper.name}.svg"
            yield Output(name, to_bytes(cut_file(sheet, options)))
    if "png" in job.formats:
        for name, content in pngs(game, options, cache):
            yield Output(f"png/{name}", content)
    if "tabletop" in job.formats:
        yield from (Output(f"tabletop/{name}", content) for name, content in tabletop(game, options, cache))
    if "tts" in job.formats:
        yield from (Output(f"tts/{name}", content) for name, content in simulator(game, cache, job.images_at))
    if "calibration" in job.formats:
        yield Output(f"calibration{suffix(options)}.pdf", calibration_pdf(options, cache))


def _texts(game: Game) -> Iterator[Output]:
    document = json.dumps({"notice": notice(game), **everything(game)}, indent=1, ensure_ascii=False) + "\n"
    charts = "\n".join([game.title, notice(game), *overlaid(game), "", *table_lines(game)]).rstrip() + "\n"
    yield Output(f"{game.id}.json", document.encode("utf-8"))
    yield Output(f"{game.id}-charts.txt", charts.encode("utf-8"))
