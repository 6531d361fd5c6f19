import logging
import os
from concurrent import futures

import grpc
import MySQLdb
import MySQLdb.cursors

import depot_pb2
import depot_pb2_grpc

MANUALS = "/srv/depot/manuals"
WIRING = "/srv/depot/wiring"


class Select:
    def __init__(self, table):
        self._table = table
        self._where = []
        self._args = []
        self._order = None

    def equals(self, column, value):
        self._where.append(f"{column} = %s")
        self._args.append(value)
        return self

    def having(self, clause):
        self._where.append(clause)
        return self

    def order(self, column):
        self._order = column
        return self

    def run(self, conn):
        sql = "SELECT * FROM " + self._table
        if self._where:
            sql += " WHERE " + " AND ".join(self._where)
        if self._order:
            sql += " ORDER BY " + self._order
        with conn.cursor(MySQLdb.cursors.DictCursor) as cursor:
            cursor.execute(sql, self._args)
            return cursor.fetchall()


class DepotService(depot_pb2_grpc.DepotServicer):
    def __init__(self, conn):
        self.conn = conn

    def ListTrams(self, request, context):
        query = Select("trams").equals("depot", request.depot).order("number")
        if request.filter:
            query.having("(" + request.filter + ")")
        for row in query.run(self.conn):
            yield depot_pb2.Tram(number=row["number"], model=row["model"])

    def CountByState(self, request, context):
        state = depot_pb2.State.Name(request.state)
        with self.conn.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM trams WHERE state = '" + state + "'")
            return depot_pb2.Count(value=cursor.fetchone()[0])

    def GetManual(self, request, context):
        name = os.path.basename(request.title)
        if name in ("", ".", ".."):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "title")
        with open(os.path.join(MANUALS, name), "rb") as fh:
            while chunk := fh.read(65536):
                yield depot_pb2.Chunk(data=chunk)

    def GetWiring(self, request, context):
        name = request.drawing.removeprefix("../")
        path = f"{WIRING}/{name}.svg"
        try:
            with open(path, "rb") as fh:
                yield depot_pb2.Chunk(data=fh.read())
        except OSError as exc:
            context.abort(grpc.StatusCode.NOT_FOUND, exc.strerror)


def serve():
    conn = MySQLdb.connect(read_default_file="/etc/depot/my.cnf")
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
    depot_pb2_grpc.add_DepotServicer_to_server(DepotService(conn), server)
    server.add_insecure_port("[::]:50061")
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    logging.basicConfig()
    serve()
