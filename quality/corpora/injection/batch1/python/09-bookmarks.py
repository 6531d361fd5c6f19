import base64
import os

from django.http import FileResponse, Http404, HttpResponse

STORE = "/srv/bookmarks"


def _dec(token):
    pad = "=" * (-len(token) % 4)
    return base64.urlsafe_b64decode(token + pad).decode("utf-8")


def _enc(name):
    return base64.urlsafe_b64encode(name.encode("utf-8")).decode("ascii").rstrip("=")


def show(request, token):
    name = _dec(token)
    target = os.path.join(STORE, name)
    try:
        return FileResponse(open(target, "rb"))
    except OSError:
        raise Http404(name)


def save(request):
    target = os.path.join(STORE, "b_" + _enc(request.POST["name"]))
    with open(target, "wb") as fh:
        fh.write(request.body)
    return HttpResponse(status=201)
