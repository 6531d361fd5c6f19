from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse

app = FastAPI()
INVOICES = Path("/srv/invoices")


class Invoice:
    def __init__(self, year: int, name: str):
        self._year = year
        self._path = INVOICES / str(year) / name

    @property
    def path(self) -> Path:
        return self._path

    def index(self) -> Path:
        return INVOICES / str(self._year) / "index.txt"


@app.get("/invoices/{year}")
def index(year: int):
    inv = Invoice(year, "unused")
    return PlainTextResponse(inv.index().read_text())


@app.get("/invoices/{year}/file")
def download(year: int, name: str):
    inv = Invoice(year, name)
    return FileResponse(inv.path)
