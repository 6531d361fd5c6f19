import falcon
import mysql.connector


def connect():
    return mysql.connector.connect(host="db", user="ledger", database="ledger")


def split_account(text):
    bank, _, number = text.partition("-")
    return bank, number, len(text)


class Ledger:
    def on_get(self, req, resp):
        bank, number, size = split_account(req.get_param("account", required=True))
        first, *rest = req.get_param_as_list("kinds") or ["debit"]
        cnx = connect()
        cur = cnx.cursor()
        cur.execute(f"SELECT sum(amount) FROM entry WHERE bank = '{bank}'")
        total = cur.fetchone()[0]
        cur.execute("INSERT INTO lookups(size, kinds) VALUES (%d, %d)" % (size, len(rest)))
        cnx.commit()
        resp.media = {"total": float(total or 0), "first": first, "number": number}


application = falcon.App()
application.add_route("/ledger", Ledger())
