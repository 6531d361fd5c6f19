from django.db import connection
from django.db.models.expressions import RawSQL
from django.http import JsonResponse
from django.views import View

from catalog.models import Product

ORDER_NEWEST = "published_at DESC"
ORDER_CHEAPEST = "price ASC"


class WarehouseMixin:
    warehouse = "main"

    def dispatch(self, request, *args, **kwargs):
        self.warehouse = request.headers.get("X-Warehouse", self.warehouse)
        return super().dispatch(request, *args, **kwargs)

    def stock_table(self):
        return "stock_%s" % self.warehouse


class ProductSearch(View):
    def get(self, request):
        products = Product.objects.filter(active=True)
        q = request.GET.get("q")
        if q:
            products = products.extra(
                where=["title ILIKE '%%" + q + "%%' OR sku = '" + q + "'"],
            )
        return JsonResponse({"items": list(products.values("id", "title"))})


class CategoryListing(View):
    def get(self, request, category_id: int):
        order = ORDER_CHEAPEST if request.GET.get("order") == "price" else ORDER_NEWEST
        products = Product.objects.raw(
            "SELECT id, title, price FROM catalog_product "
            f"WHERE category_id = %s ORDER BY {order}",
            [category_id],
        )
        return JsonResponse({"items": [{"id": p.id, "title": p.title} for p in products]})


class PriceBoard(View):
    currency = "EUR"

    def quotes(self, currency):
        rate = RawSQL(f"price * (SELECT rate FROM fx WHERE code = '{currency}')", [])
        return Product.objects.annotate(local_price=rate)

    def get(self, request):
        currency = request.COOKIES.get("currency") or self.currency
        rows = self.quotes(currency).values("id", "local_price")[:100]
        return JsonResponse({"items": list(rows)})


class StockLevels(WarehouseMixin, View):
    def get(self, request):
        with connection.cursor() as cursor:
            cursor.execute("SELECT product_id, qty FROM " + self.stock_table())
            return JsonResponse(dict(cursor.fetchall()))


class BulkArchive(View):
    def post(self, request):
        ids = request.POST.getlist("id")
        if not ids:
            return JsonResponse({"archived": 0})
        marks = ", ".join(["%s"] * len(ids))
        with connection.cursor() as cursor:
            cursor.execute("UPDATE catalog_product SET active = false WHERE id IN (%s)" % marks, ids)
            return JsonResponse({"archived": cursor.rowcount})
