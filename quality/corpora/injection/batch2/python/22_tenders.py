import pyodbc
import cherrypy

CONN = "DSN=tenders;Trusted_Connection=yes"


class Tenders:
    @cherrypy.expose
    @cherrypy.tools.json_out()
    def find(self, state="open", region="", sort=None):
        cn = pyodbc.connect(CONN)
        cur = cn.cursor()
        sql = "SELECT id, title FROM tender WHERE state = ?"
        args = [state]
        if region:
            sql += " AND region = '" + region + "'"
        cur.execute(sql, args)
        return [tuple(r) for r in cur.fetchall()]

    @cherrypy.expose
    def close(self, tender, reason=""):
        cn = pyodbc.connect(CONN)
        cn.execute("EXEC close_tender @id = ?, @reason = '%s'" % reason, tender)
        cn.commit()
        return "ok"


if __name__ == "__main__":
    cherrypy.quickstart(Tenders())
