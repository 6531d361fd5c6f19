import abc
import os

from aiohttp import web


class Backend(abc.ABC):
    root = "/srv/blobs"

    @abc.abstractmethod
    def locate(self, key: str) -> str:
        ...

    def load(self, key: str) -> bytes:
        with open(self.locate(key), "rb") as fh:
            return fh.read()


class PlainBackend(Backend):
    def locate(self, key):
        return os.path.join(self.root, key)


class HashedBackend(Backend):
    def locate(self, key):
        return os.path.join(self.root, "%08x" % (hash(key) & 0xFFFFFFFF))


BACKENDS = {"plain": PlainBackend(), "hashed": HashedBackend()}


async def blob(request):
    backend = BACKENDS.get(request.query.get("backend"), BACKENDS["plain"])
    return web.Response(body=backend.load(request.query["key"]))


app = web.Application()
app.add_routes([web.get("/blob", blob)])

if __name__ == "__main__":
    web.run_app(app)
