import os
import zipfile
from pathlib import PurePosixPath

from django.http import FileResponse, Http404, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from werkzeug.utils import secure_filename

STORE = "/srv/attachments"


def attachment(request):
    name = os.path.basename(request.GET.get("name", ""))
    path = os.path.join(STORE, name)
    if not os.path.isfile(path):
        raise Http404
    return FileResponse(open(path, "rb"))


@csrf_exempt
def upload(request):
    f = request.FILES["file"]
    with open(os.path.join(STORE, secure_filename(f.name)), "wb") as out:
        for chunk in f.chunks():
            out.write(chunk)
    return HttpResponse(status=201)


def preview(request):
    leaf = PurePosixPath(request.GET["name"]).name
    with zipfile.ZipFile("/srv/previews.zip") as z:
        return HttpResponse(z.read(leaf), content_type="image/png")
