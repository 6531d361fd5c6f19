import os

from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, HttpResponse
from werkzeug.utils import secure_filename

HOME = "/srv/attachments"


def upload(request):
    file: UploadedFile = request.FILES["file"]
    name = secure_filename(request.POST.get("name", "")) or "unnamed"
    with open(os.path.join(HOME, name), "wb") as out:
        for chunk in file.chunks():
            out.write(chunk)
    return HttpResponse(status=201)


def fetch(request):
    name = request.GET["name"].replace("../", "")
    return FileResponse(open(HOME + "/" + name, "rb"))


def drop(request):
    name = os.path.basename(request.GET["name"])
    if name in ("", ".", ".."):
        return HttpResponse(status=400)
    os.remove(HOME + "/" + name)
    return HttpResponse(status=204)


def fetch_lstrip(request):
    name = request.GET["name"].lstrip("./")
    return FileResponse(open(HOME + "/" + name, "rb"))
