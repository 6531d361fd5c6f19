from django.db.models import F, Q
from django.http import JsonResponse
from django.views.decorators.http import require_GET

from .models import Order, Product


@require_GET
def products(request):
    q = request.GET.get("q", "")
    found = Product.objects.filter(Q(title__icontains=q) | Q(sku=q)).annotate(left=F("stock"))
    return JsonResponse({"ids": list(found.values_list("id", flat=True))})


@require_GET
def products_raw(request):
    maker = request.GET.get("maker", "")
    found = Product.objects.raw("SELECT * FROM shop_product WHERE maker = '%s'" % maker)
    return JsonResponse({"ids": [p.id for p in found]})


@require_GET
def orders_raw(request):
    found = Order.objects.raw("SELECT * FROM shop_order WHERE ref = %s", [request.GET.get("ref")])
    return JsonResponse({"ids": [o.id for o in found]})


@require_GET
def orders_extra(request):
    state = request.GET.get("state", "new")
    return JsonResponse({"n": Order.objects.extra(where=["state = '" + state + "'"]).count()})
