import subprocess
from enum import Enum
from typing import Annotated, Literal

from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel, Field
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session, sessionmaker

engine = create_engine("postgresql+psycopg://allotments@db/allotments")
SessionLocal = sessionmaker(engine)
app = FastAPI(title="Allotment gardens")


def session():
    with SessionLocal() as s:
        yield s


Db = Annotated[Session, Depends(session)]


class Soil(str, Enum):
    clay = "clay"
    sand = "sand"
    loam = "loam"


class PlotFilter:
    def __init__(self, q: str = "", free: bool = False):
        self.q = q
        self.free = free

    def sql(self) -> str:
        clauses = ["1 = 1"]
        if self.q:
            clauses.append(f"note ILIKE '%{self.q}%'")
        if self.free:
            clauses.append("tenant_id IS NULL")
        return " AND ".join(clauses)


class Letter(BaseModel):
    plot: int
    template: Literal["reminder", "welcome", "notice"]
    recipient: str = Field(max_length=120)


class Meter(BaseModel):
    serial: Annotated[str, Field(pattern=r"^[0-9A-F]{8}$")]
    interval: int = 60


@app.get("/plots")
def plots(db: Db, flt: Annotated[PlotFilter, Depends()]):
    rows = db.execute(text("SELECT id, note FROM plots WHERE " + flt.sql()))
    return [dict(r._mapping) for r in rows]


@app.get("/plots/{plot_id}/water")
def water(plot_id: int, soil: Soil, db: Db):
    rows = db.execute(text(
        f"SELECT day, litres FROM water WHERE plot_id = {plot_id} AND soil = '{soil.value}'"
    ))
    return [tuple(r) for r in rows]


@app.get("/waiting")
def waiting(db: Db, surname: str):
    stmt = text("SELECT position FROM waiting_list WHERE surname = :surname").bindparams(surname=surname)
    position = db.execute(stmt).scalar()
    if position is None:
        raise HTTPException(404)
    return {"position": position}


@app.post("/letters")
def letter(body: Letter):
    done = subprocess.run(
        f"pandoc letters/{body.template}.md -V plot={body.plot} -V to='{body.recipient}' -o out/{body.plot}.pdf",
        shell=True,
        capture_output=True,
    )
    return {"ok": done.returncode == 0}


@app.post("/meters")
def meter(body: Meter):
    out = subprocess.check_output(f"rtl_433 -F json -T {body.interval} -M serial:{body.serial}", shell=True)
    return {"raw": out.decode()}
