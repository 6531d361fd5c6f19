import json
from pathlib import Path

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import FileResponse, Http404, JsonResponse
from django.urls import path
from django.views import View
from django.views.decorators.http import require_GET

COVERS = Path(settings.MEDIA_ROOT) / "covers"
SAMPLES = str(settings.MEDIA_ROOT) + "/samples/"


def dictfetchall(cursor):
    columns = [c[0] for c in cursor.description]
    return [dict(zip(columns, row)) for row in cursor.fetchall()]


class LoanHistory(View):
    base_query = (
        "SELECT l.id, b.title, l.due FROM loans l "
        "JOIN books b ON b.id = l.book_id WHERE l.member_id = %s"
    )

    def get(self, request, member_id):
        with connection.cursor() as cursor:
            if request.GET.get("overdue") == "1":
                cursor.execute(self.base_query + " AND l.due < now()", [member_id])
            else:
                cursor.execute(self.base_query, [member_id])
            return JsonResponse({"loans": dictfetchall(cursor)})

    def post(self, request, member_id):
        body = json.loads(request.body)
        note = body.get("note", "")
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE members SET note = '%s' WHERE id = %d" % (note, member_id)
            )
        return JsonResponse({"ok": True})


@require_GET
def cover(request):
    wanted = (COVERS / request.GET.get("file", "default.png")).resolve()
    if not wanted.is_relative_to(COVERS.resolve()):
        raise PermissionDenied("outside of the cover folder")
    if not wanted.is_file():
        raise Http404
    return FileResponse(wanted.open("rb"))


@require_GET
def sample(request):
    target = SAMPLES + request.GET.get("chapter", "intro.txt")
    if not target.startswith(SAMPLES):
        raise PermissionDenied("outside of the sample folder")
    try:
        return FileResponse(open(target, "rb"))
    except FileNotFoundError as exc:
        raise Http404 from exc


urlpatterns = [
    path("members/<int:member_id>/loans", LoanHistory.as_view()),
    path("cover", cover),
    path("sample", sample),
]
