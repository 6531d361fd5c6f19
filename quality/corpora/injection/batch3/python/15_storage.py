from abc import ABC, abstractmethod
from pathlib import Path

from flask import Flask, Response, abort, request

app = Flask(__name__)
BASE = Path("/srv/wiki/pages").resolve()


class PageSource(ABC):
    @abstractmethod
    def location(self, name: str) -> Path: ...

    def load(self, name: str) -> str:
        return self.location(name).read_text(encoding="utf-8")


class CurrentPages(PageSource):
    def location(self, name: str) -> Path:
        return BASE / "current" / f"{name}.md"


class TemplatePages:
    names = frozenset({"meeting", "incident", "howto"})

    def load(self, name: str) -> str:
        if name not in self.names:
            raise KeyError(name)
        return (BASE / "templates" / f"{name}.md").read_text(encoding="utf-8")


class HistoryPages:
    def load(self, name: str) -> str:
        target = (BASE / "history" / name).resolve()
        if not target.is_relative_to(BASE):
            abort(403)
        return target.read_text(encoding="utf-8")


class DraftPages(PageSource):
    def location(self, name: str) -> Path:
        return BASE.joinpath("drafts", name)

    def discard(self, name: str) -> None:
        self.location(name).unlink()


SOURCES = {"current": CurrentPages(), "template": TemplatePages(), "history": HistoryPages()}


@app.delete("/drafts")
def discard():
    DraftPages().discard(request.args["name"])
    return "", 204


@app.get("/pages/<kind>")
def page(kind: str):
    source = SOURCES.get(kind)
    if source is None:
        abort(404)
    try:
        return Response(source.load(request.args["name"]), mimetype="text/markdown")
    except (KeyError, FileNotFoundError):
        abort(404)
