import logging
import os
import subprocess
from concurrent import futures

import grpc

import printing_pb2 as pb
import printing_pb2_grpc as rpc

log = logging.getLogger("printd")
SPOOL = os.path.realpath("/var/spool/printd")


def inside_spool(path):
    return os.path.commonpath([SPOOL, path]) == SPOOL


class PrintService(rpc.PrintServiceServicer):
    def __init__(self, default_queue):
        self.default_queue = default_queue

    def Submit(self, request, context):
        target = os.path.realpath(os.path.join(SPOOL, request.document))
        if not inside_spool(target):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "document is outside")
        with open(target, "wb") as fh:
            fh.write(request.content)
        return pb.SubmitReply(size=len(request.content))

    def Fetch(self, request, context):
        target = os.path.realpath(os.path.join(SPOOL, request.document))
        if not inside_spool(target):
            log.warning("document %s is outside of the spool", target)
        with open(target, "rb") as fh:
            return pb.FetchReply(content=fh.read())

    def Print(self, request, context):
        queue = request.queue or self.default_queue
        line = "lp -d %s -n %d %s/next.pdf" % (queue, request.copies, SPOOL)
        out = subprocess.getoutput(line)
        return pb.PrintReply(message=out)

    def Cancel(self, request, context):
        job = request.job_id
        if not isinstance(job, int):
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "job id")
        out = subprocess.getoutput(f"cancel {job}")
        return pb.PrintReply(message=out)

    def Quality(self, request, context):
        level = {0: "draft", 1: "normal", 2: "high"}.get(request.level, "normal")
        out = subprocess.getoutput("lpoptions -o print-quality=" + level)
        return pb.PrintReply(message=out)


def serve():
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
    rpc.add_PrintServiceServicer_to_server(PrintService("office"), server)
    server.add_insecure_port("[::]:50071")
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    serve()
