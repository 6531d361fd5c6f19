from django.db import models
from django.http import JsonResponse
from django.views.decorators.http import require_GET


class Listing(models.Model):
    title = models.CharField(max_length=200)
    town = models.CharField(max_length=80)
    rent = models.IntegerField()

    class Meta:
        db_table = "listing"


def as_json(rows):
    return JsonResponse({"items": [{"id": r.pk, "title": r.title, "rent": r.rent} for r in rows]})


@require_GET
def in_town(request, town):
    rows = Listing.objects.filter(town__iexact=town).order_by("rent")[:50]
    return as_json(rows)


@require_GET
def matching(request):
    words = request.GET.get("q", "")
    rows = Listing.objects.extra(where=["title LIKE '%%" + words + "%%'"])
    return as_json(rows)


@require_GET
def cheapest(request):
    town = request.GET["town"]
    rows = Listing.objects.raw(f"SELECT * FROM listing WHERE town = '{town}' ORDER BY rent LIMIT 5")
    return as_json(rows)


@require_GET
def between(request):
    low, high = request.GET["low"], request.GET["high"]
    rows = Listing.objects.raw("SELECT * FROM listing WHERE rent BETWEEN %s AND %s", [low, high])
    return as_json(rows)
