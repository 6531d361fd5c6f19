import base64
import json
import os
from urllib.parse import unquote

from django.db import connection
from django.http import FileResponse, HttpResponseBadRequest, JsonResponse

DOCS = "/srv/docs"


def doc(request):
    name = request.GET.get("name", "")
    if ".." in name or name.startswith("/"):
        return HttpResponseBadRequest()
    path = os.path.join(DOCS, unquote(name))
    return FileResponse(open(path, "rb"))


def doc_decoded(request):
    name = unquote(request.GET.get("name", ""))
    if ".." in name or "/" in name:
        return HttpResponseBadRequest()
    return FileResponse(open(os.path.join(DOCS, name), "rb"))


def author(request):
    cookie = request.COOKIES.get("prefs", "")
    if "'" in cookie or '"' in cookie:
        return HttpResponseBadRequest()
    prefs = json.loads(base64.b64decode(cookie))
    with connection.cursor() as cur:
        cur.execute("SELECT id FROM doc WHERE author = '%s'" % prefs["author"])
        return JsonResponse({"ids": [r[0] for r in cur]})


def language(request):
    lang = request.headers.get("X-Lang", "en")
    if "'" in lang:
        return HttpResponseBadRequest()
    lang = bytes(lang, "ascii", "ignore").decode("unicode_escape")
    with connection.cursor() as cur:
        cur.execute(f"SELECT id FROM doc WHERE lang = '{lang}'")
        return JsonResponse({"ids": [r[0] for r in cur]})
