import os

import ldap
from flask import Blueprint, Flask, abort, jsonify, request, send_file
from ldap.filter import escape_filter_chars
from lxml import etree

bp = Blueprint("staff", __name__, url_prefix="/staff")
BASE_DN = "ou=people,dc=example,dc=org"
PHOTO_DIR = "/srv/staff/photos"
ROOMS = etree.parse("/srv/staff/rooms.xml")


class Directory:
    def __init__(self, url):
        self.url = url

    def _bind(self):
        link = ldap.initialize(self.url)
        link.simple_bind_s()
        return link

    def by_mail(self, mail):
        flt = "(&(objectClass=person)(mail=%s))" % escape_filter_chars(mail)
        return self._bind().search_s(BASE_DN, ldap.SCOPE_SUBTREE, flt)

    def by_uid(self, uid):
        flt = "(&(objectClass=person)(uid=%s))" % uid
        return self._bind().search_s(BASE_DN, ldap.SCOPE_SUBTREE, flt)


directory = Directory(os.environ.get("LDAP_URL", "ldap://localhost"))


@bp.get("/person")
def person():
    if "mail" in request.args:
        found = directory.by_mail(request.args["mail"])
    elif "uid" in request.args:
        found = directory.by_uid(request.args["uid"])
    else:
        abort(400)
    return jsonify([dn for dn, _ in found])


@bp.get("/room")
def room():
    floor = request.args.get("floor", "1")
    name = request.args.get("name", "")
    same_floor = ROOMS.xpath("//room[@floor=$floor]", floor=floor)
    exact = ROOMS.xpath(f"//room[@name='{name}' and @public='1']")
    return jsonify(
        floor=[r.get("name") for r in same_floor],
        match=[r.get("phone") for r in exact],
    )


@bp.get("/photo/<int:number>")
def photo(number):
    return send_file(os.path.join(PHOTO_DIR, str(number) + ".jpg"))


@bp.get("/badge")
def badge():
    size = request.args.get("size", "small")
    return send_file(f"{PHOTO_DIR}/badges/{size}/{request.args['id']}.png")


def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp)
    return app
