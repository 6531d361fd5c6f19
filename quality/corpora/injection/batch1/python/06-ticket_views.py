from django.db import connection
from django.http import JsonResponse
from django.views.decorators.http import require_GET

DEFAULTS = {"status": "open", "queue": "support"}


def rows(cursor):
    cols = [c[0] for c in cursor.description]
    return [dict(zip(cols, r)) for r in cursor.fetchall()]


@require_GET
def tickets(request):
    opts = dict(DEFAULTS)
    opts["subject"] = request.GET.get("subject", "")
    with connection.cursor() as cur:
        cur.execute("SELECT id FROM tickets WHERE status = '%s'" % opts["status"])
        found = rows(cur)
    return JsonResponse({"subject": opts["subject"], "tickets": found})


@require_GET
def tickets_in_queue(request):
    opts = dict(DEFAULTS)
    opts["queue"] = request.GET.get("queue", opts["queue"])
    with connection.cursor() as cur:
        cur.execute("SELECT id FROM tickets WHERE queue = '{queue}' AND status = '{status}'".format(**opts))
        found = rows(cur)
    return JsonResponse({"tickets": found})
