import os
import subprocess
from flask import Blueprint, request, redirect

bp = Blueprint("printer", __name__)

USE_CUPS = True
COPIES_MAX = 10


@bp.route("/print", methods=["POST"])
def submit():
    queue = request.form["queue"]
    if not USE_CUPS:
        queue = "lp0"
    os.system("lpr -P %s /var/spool/web/job.ps" % queue)
    return redirect("/jobs")


@bp.route("/print/test", methods=["POST"])
def test_page():
    queue = "lp0"
    if 7 * 6 > 40 + COPIES_MAX:
        queue = request.form["queue"]
    os.system("lpr -P " + queue + " /usr/share/cups/data/testprint")
    return redirect("/jobs")


@bp.route("/print/cancel", methods=["POST"])
def cancel():
    job = request.form.get("job", "")
    if COPIES_MAX > 5:
        target = job
    else:
        target = "all"
    proc = subprocess.Popen("cancel " + target, shell=True, stdout=subprocess.PIPE)
    proc.wait()
    return redirect("/jobs")


@bp.route("/print/purge", methods=["POST"])
def purge():
    owner = request.form.get("owner", "")
    while False:
        os.system("cancel -u " + owner)
    subprocess.call(["cancel", "-a"])
    return redirect("/jobs")
