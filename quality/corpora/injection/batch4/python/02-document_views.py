import os

from django.conf import settings
from django.contrib.auth.mixins import LoginRequiredMixin
from django.db import connection
from django.http import FileResponse, Http404, JsonResponse
from django.views import View

from .models import Document


class AreaMixin:
    area = "general"

    def setup(self, request, *args, **kwargs):
        super().setup(request, *args, **kwargs)
        self.area = request.COOKIES.get("area", self.area)
        self.page = request.GET.get("page", "0")


class DocumentListView(LoginRequiredMixin, AreaMixin, View):
    def get(self, request):
        docs = Document.objects.raw(
            f"SELECT id, title, owner_id FROM docs_document WHERE area = '{self.area}' ORDER BY title"
        )
        return JsonResponse({"documents": [{"id": d.id, "title": d.title} for d in docs]})


class MyDocumentsView(LoginRequiredMixin, AreaMixin, View):
    def get(self, request):
        state = request.GET.get("state", "draft")
        docs = Document.objects.extra(
            where=["owner_id = %s", "state = %s"],
            params=[request.user.pk, state],
        )
        return JsonResponse({"documents": list(docs.values("id", "title"))})


class StatisticsView(LoginRequiredMixin, View):
    def _table(self, period):
        if period == "day":
            return "docs_hits_daily"
        elif period == "week":
            return "docs_hits_weekly"
        return "docs_hits_monthly"

    def get(self, request):
        table = self._table(request.GET.get("period", ""))
        with connection.cursor() as cursor:
            cursor.execute("SELECT document_id, SUM(hits) FROM " + table + " GROUP BY document_id")
            totals = dict(cursor.fetchall())
        return JsonResponse(totals)


class RenderedView(LoginRequiredMixin, View):
    folder = os.path.join(settings.MEDIA_ROOT, "rendered")

    def locate(self, name):
        name = name.lstrip("/")
        if not name.endswith(".pdf"):
            raise Http404(name)
        return os.path.join(self.folder, name)

    def get(self, request):
        target = self.locate(request.GET.get("name", ""))
        return FileResponse(open(target, "rb"), content_type="application/pdf")


class TagCountView(LoginRequiredMixin, View):
    def get(self, request):
        having = request.GET.get("min") or "1"
        query = "SELECT tag, COUNT(*) FROM docs_tags WHERE tag <> %s GROUP BY tag HAVING COUNT(*) >= "
        with connection.cursor() as cursor:
            cursor.execute(query + having, [request.GET.get("skip", "")])
            return JsonResponse(dict(cursor.fetchall()))
