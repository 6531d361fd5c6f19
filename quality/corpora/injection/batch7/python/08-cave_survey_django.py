import os
import zipfile

from django import forms
from django.conf import settings
from django.db import connection, models
from django.db.models.expressions import RawSQL
from django.http import FileResponse, Http404, HttpResponseBadRequest, JsonResponse
from django.utils._os import safe_join
from django.core.exceptions import SuspiciousFileOperation
from django.views import View


class Passage(models.Model):
    cave = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    length = models.FloatField()
    depth = models.FloatField()

    class Meta:
        app_label = "survey"


class RankingForm(forms.Form):
    measure = forms.ChoiceField(choices=[("length", "Length"), ("depth", "Depth")])
    top = forms.IntegerField(min_value=1, max_value=500)


class PassageList(View):
    def get(self, request, cave):
        found = Passage.objects.raw(
            "SELECT * FROM survey_passage WHERE cave = %s AND depth > %s",
            [cave, request.GET.get("deeper", 0)],
        )
        return JsonResponse({"passages": [p.name for p in found]})


class Nearby(View):
    def get(self, request):
        lon = request.GET.get("lon", "0")
        lat = request.GET.get("lat", "0")
        distance = RawSQL(f"ST_Distance(entrance, ST_Point({lon}, {lat}))", [])
        nearest = Passage.objects.annotate(d=distance).order_by("d")[:10]
        return JsonResponse({"nearest": list(nearest.values("name", "d"))})


class Ranking(View):
    def get(self, request):
        form = RankingForm(request.GET)
        if not form.is_valid():
            return HttpResponseBadRequest(form.errors.as_json())
        measure, top = form.cleaned_data["measure"], form.cleaned_data["top"]
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT cave, max({measure}) AS m FROM survey_passage GROUP BY cave ORDER BY m DESC LIMIT {top}"
            )
            return JsonResponse({"ranking": cursor.fetchall()})


class Drawing(View):
    def get(self, request, sheet):
        try:
            path = safe_join(settings.MEDIA_ROOT, "drawings", sheet)
        except SuspiciousFileOperation:
            raise Http404
        return FileResponse(open(path, "rb"))


class ImportBundle(View):
    def post(self, request):
        target = os.path.join(settings.MEDIA_ROOT, "imports")
        imported = 0
        with zipfile.ZipFile(request.FILES["bundle"]) as bundle:
            for info in bundle.infolist():
                if info.is_dir() or not info.filename.endswith(".svx"):
                    continue
                with open(os.path.join(target, info.filename), "wb") as out:
                    out.write(bundle.read(info))
                imported += 1
        return JsonResponse({"imported": imported})
