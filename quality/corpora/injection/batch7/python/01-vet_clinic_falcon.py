import sqlite3
from contextlib import closing

import falcon

DB_FILE = "/var/lib/vetclinic/clinic.db"

SORT_COLUMNS = {
    "name": "p.name",
    "owner": "o.surname",
    "visit": "p.last_visit",
}


def connect():
    conn = sqlite3.connect(DB_FILE)
    conn.row_factory = sqlite3.Row
    return conn


class PatientCollection:
    base_query = (
        "SELECT p.id, p.name, p.species, o.surname "
        "FROM patients p JOIN owners o ON o.id = p.owner_id"
    )

    def on_get(self, req, resp):
        column = SORT_COLUMNS.get(req.get_param("sort"), "p.name")
        direction = (req.get_param("dir") or "asc").upper()
        sql = f"{self.base_query} ORDER BY {column} {direction} LIMIT 200"
        with closing(connect()) as conn:
            rows = conn.execute(sql).fetchall()
        resp.media = [dict(r) for r in rows]

    def on_post(self, req, resp):
        wanted = req.media.get("ids", [])
        if not wanted:
            resp.media = []
            return
        marks = ",".join("?" for _ in wanted)
        column = SORT_COLUMNS.get(req.get_param("sort"), "p.id")
        with closing(connect()) as conn:
            cursor = conn.execute(
                f"{self.base_query} WHERE p.id IN ({marks}) ORDER BY {column}",
                tuple(wanted),
            )
            resp.media = [dict(r) for r in cursor]


class ChipLookup:
    def on_get(self, req, resp, chip):
        try:
            number = int(chip)
        except ValueError:
            raise falcon.HTTPBadRequest(title="chip must be numeric")
        with closing(connect()) as conn:
            row = conn.execute(
                "SELECT * FROM chips WHERE number = %d" % number
            ).fetchone()
        if row is None:
            raise falcon.HTTPNotFound()
        resp.media = dict(row)


class SpeciesReport:
    def on_get(self, req, resp):
        species = req.get_param_as_list("species") or ["dog", "cat"]
        quoted = ", ".join("'%s'" % s.strip().lower() for s in species)
        report = (
            "SELECT species, COUNT(*) AS n FROM patients "
            "WHERE species IN (" + quoted + ") GROUP BY species"
        )
        with closing(connect()) as conn:
            resp.media = {r["species"]: r["n"] for r in conn.execute(report)}


app = falcon.App()
app.add_route("/patients", PatientCollection())
app.add_route("/chips/{chip}", ChipLookup())
app.add_route("/reports/species", SpeciesReport())
