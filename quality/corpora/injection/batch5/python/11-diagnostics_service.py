import ipaddress
import subprocess
from abc import ABC, abstractmethod
from concurrent import futures

import grpc

from diagnostics.v1 import diagnostics_pb2 as pb
from diagnostics.v1 import diagnostics_pb2_grpc as rpc


class Probe(ABC):
    def __init__(self, target, timeout=10):
        self.target = target
        self.timeout = timeout

    @abstractmethod
    def command(self):
        ...

    def run(self):
        done = subprocess.run(
            self.command(),
            shell=True,
            capture_output=True,
            text=True,
            timeout=self.timeout,
        )
        return done.returncode, done.stdout


class HttpProbe(Probe):
    def command(self):
        return f"curl -s -o /dev/null -w '%{{http_code}}' {self.target}"


class CertificateProbe(Probe):
    def command(self):
        host, _, port = self.target.partition(":")
        return f"openssl s_client -connect {host}:{int(port or 443)} </dev/null"


class Diagnostics(rpc.DiagnosticsServicer):
    probes = {"http": HttpProbe, "tls": CertificateProbe}

    def Ping(self, request, context):
        try:
            address = ipaddress.IPv4Address(request.host)
        except ValueError:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "host must be an IPv4 address")
        output = subprocess.getoutput(f"ping -c 3 -W 2 {address} | tail -n 2")
        return pb.TextReply(text=output)

    def Resolve(self, request, context):
        names = [n for n in request.names if len(n) <= 253]
        script = " ; ".join("dig +short " + n for n in names)
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
        return pb.TextReply(text=done.stdout)

    def Restart(self, request, context):
        match request.unit:
            case "api" | "worker" as unit:
                pass
            case _:
                context.abort(grpc.StatusCode.NOT_FOUND, "unknown unit")
        done = subprocess.run(f"systemctl restart acme-{unit}.service", shell=True)
        return pb.StatusReply(code=done.returncode)

    def Check(self, request, context):
        probe = self.probes[request.kind](request.target)
        code, text = probe.run()
        return pb.CheckReply(code=code, text=text)


def serve():
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    rpc.add_DiagnosticsServicer_to_server(Diagnostics(), server)
    server.add_insecure_port("[::]:50051")
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    serve()
