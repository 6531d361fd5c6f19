import csv
import io
import logging

from django.db import connection
from django.http import HttpResponse
from django.views import View

log = logging.getLogger(__name__)
EXPORTABLE = frozenset({"orders", "customers", "shipments"})


class ExportView(View):
    def get(self, request):
        table = request.GET.get("table", "orders")
        allowed = table in EXPORTABLE
        if not allowed:
            log.warning("export of %s requested", table)

        out = io.StringIO()
        writer = csv.writer(out)
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM " + table)
            writer.writerow([c[0] for c in cursor.description])
            writer.writerows(cursor.fetchall())
            if allowed:
                cursor.execute("UPDATE export_log SET n = n + 1 WHERE tbl = '" + table + "'")
        return HttpResponse(out.getvalue(), content_type="text/csv")
