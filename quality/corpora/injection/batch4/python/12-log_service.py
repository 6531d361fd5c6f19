import os
import re
import subprocess
from concurrent import futures

import grpc

import logs_pb2
import logs_pb2_grpc

LOG_ROOT = "/var/log/apps"
LOGS = {"web": "/var/log/apps/web.log", "jobs": "/var/log/apps/jobs.log"}
UNIT = re.compile(r"[a-z][a-z0-9-]*")


def chunks(path, size=64 * 1024):
    with open(path, "rb") as handle:
        while block := handle.read(size):
            yield block


def run(*argv):
    done = subprocess.run(argv, capture_output=True, text=True, timeout=30)
    return done.stdout


class LogService(logs_pb2_grpc.LogServiceServicer):
    def Download(self, request, context):
        path = os.path.join(LOG_ROOT, request.name)
        for block in chunks(path):
            yield logs_pb2.Block(data=block)

    def Search(self, request, context):
        script = " ".join(["grep", "-n", request.pattern, LOGS["web"]])
        return logs_pb2.Text(body=run("sh", "-c", script))

    def Tail(self, request, context):
        path = LOGS.get(request.service)
        if path is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "unknown service")
        count = max(1, min(int(request.lines), 1000))
        done = subprocess.run(f"tail -n {count} {path}", shell=True, capture_output=True, text=True)
        return logs_pb2.Text(body=done.stdout)

    def Reopen(self, request, context):
        if not UNIT.match(request.unit):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "unit")
        code = subprocess.call("systemctl kill -s HUP " + request.unit, shell=True)
        return logs_pb2.Status(code=code)

    def Restart(self, request, context):
        if not UNIT.fullmatch(request.unit):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "unit")
        code = subprocess.call("systemctl restart " + request.unit + ".service", shell=True)
        return logs_pb2.Status(code=code)


def serve():
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    logs_pb2_grpc.add_LogServiceServicer_to_server(LogService(), server)
    server.add_insecure_port("[::]:50051")
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    serve()
