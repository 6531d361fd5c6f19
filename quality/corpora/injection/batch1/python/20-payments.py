import psycopg
from falcon import App, HTTP_404


class Payments:
    def __init__(self, dsn):
        self.dsn = dsn

    def on_get(self, req, resp, iban):
        with psycopg.connect(self.dsn) as con:
            cur = con.execute(
                "SELECT id, amount FROM payments WHERE iban = %s AND amount > %s",
                (iban, req.get_param_as_float("min") or 0.0),
            )
            resp.media = cur.fetchall()

    def on_delete(self, req, resp, iban):
        reason = req.get_param("reason") or ""
        with psycopg.connect(self.dsn) as con:
            cur = con.execute(
                "UPDATE payments SET void = true, reason = %(reason)s WHERE iban = %(iban)s",
                {"reason": reason, "iban": iban},
            )
            if cur.rowcount == 0:
                resp.status = HTTP_404


app = App()
app.add_route("/payments/{iban}", Payments("dbname=pay"))
