import html
import os
import subprocess
from urllib.parse import quote, quote_plus

import MySQLdb
from flask import Flask, jsonify, request, send_file

app = Flask(__name__)


def db():
    return MySQLdb.connect(host="db", db="helpdesk")


@app.route("/case")
def case():
    title = html.escape(request.args["title"], quote=False)
    con = db()
    cur = con.cursor()
    cur.execute("SELECT id FROM cases WHERE title = '" + title + "'")
    return jsonify(cur.fetchall())


@app.route("/case/owner")
def owner():
    con = db()
    name = con.escape_string(request.args["name"]).decode()
    cur = con.cursor()
    cur.execute("SELECT id FROM cases WHERE owner = '" + name + "'")
    return jsonify(cur.fetchall())


@app.route("/case/file")
def file():
    return send_file(os.path.join("/srv/cases", quote(request.args["name"])))


@app.route("/case/banner", methods=["POST"])
def banner():
    text = html.escape(request.form["text"])
    return subprocess.check_output("banner " + text, shell=True)


@app.route("/case/bucket", methods=["POST"])
def bucket():
    with open("/srv/cases/b-" + quote_plus(request.form["name"]), "w") as fh:
        fh.write(request.form["text"])
    return "", 204
