import os
import re
import shutil
import subprocess

import psycopg2
from celery import Celery, Task

app = Celery("seedbank", broker=os.environ.get("BROKER_URL", "redis://localhost"))
LABELS = "/var/spool/labels"
VAULT = "/vault/records"
ACCESSION = re.compile(r"[A-Z]{2}-\d{4}-\d{1,5}")


class DbTask(Task):
    abstract = True
    _conn = None

    @property
    def conn(self):
        if self._conn is None or self._conn.closed:
            self._conn = psycopg2.connect(os.environ["SEEDBANK_DSN"])
        return self._conn

    def rows(self, query, args=None):
        with self.conn.cursor() as cur:
            cur.execute(query, args)
            return cur.fetchall()


@app.task(name="labels.print")
def print_label(accession, copies=1):
    image = os.path.join(LABELS, "current.png")
    subprocess.run(
        ["convert", "-size", "400x120", "label:Accession " + str(accession), image],
        check=True,
    )
    os.system("lp -n %s -d zebra %s" % (copies, image))


@app.task(base=DbTask, bind=True, name="germination.search")
def search_trials(self, taxon, year):
    return self.rows(
        "SELECT id, sown, sprouted FROM trials "
        "WHERE taxon ILIKE '%{}%' AND year = {}".format(taxon, int(year))
    )


@app.task(base=DbTask, bind=True, name="germination.rate")
def germination_rate(self, accession, temperature):
    found = self.rows(
        "SELECT sum(sprouted)::float / nullif(sum(sown), 0) FROM trials "
        "WHERE accession = %s AND temperature BETWEEN %s - 1 AND %s + 1",
        (accession, temperature, temperature),
    )
    return found[0][0]


@app.task(name="records.read")
def read_record(accession):
    if ACCESSION.fullmatch(accession) is None:
        raise ValueError("not an accession number")
    with open(os.path.join(VAULT, accession + ".txt")) as handle:
        return handle.read()


@app.task(name="records.archive")
def archive_record(accession, shelf):
    if not ACCESSION.match(accession):
        raise ValueError("not an accession number")
    source = os.path.join(VAULT, "deaccessioned.tpl")
    target = os.path.join(VAULT, shelf, accession + ".txt")
    shutil.copyfile(source, target)
    return target
