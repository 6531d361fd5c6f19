from django.db import connection
from django.http import JsonResponse
from django.views import View

COLUMNS = {
    "name": "last_name",
    "office": "office_code",
    "hired": "hired_on",
}


class StaffList(View):
    def get(self, request):
        key = request.GET.get("order", "name")
        column = COLUMNS.get(key, "last_name")
        desc = " DESC" if request.GET.get("desc") else ""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT id, last_name FROM staff ORDER BY {column}{desc}")
            return JsonResponse({"staff": cursor.fetchall()})


class OfficeList(View):
    def get(self, request):
        key = request.GET.get("order", "code")
        column = COLUMNS.get(key, key)
        with connection.cursor() as cursor:
            cursor.execute("SELECT code, city FROM offices ORDER BY " + column)
            return JsonResponse({"offices": cursor.fetchall()})
