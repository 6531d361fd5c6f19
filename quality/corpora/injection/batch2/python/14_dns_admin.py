import os
import re

from pyramid.config import Configurator
from pyramid.httpexceptions import HTTPBadRequest
from pyramid.response import Response
from pyramid.view import view_config

HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
ZONE_FILE = re.compile(r"[a-z0-9-]{1,40}\.zone")


@view_config(route_name="resolve")
def resolve(request):
    host = request.params.get("host", "")
    if not HOST.fullmatch(host):
        raise HTTPBadRequest()
    return Response(os.popen("dig +short " + host).read())


@view_config(route_name="reverse")
def reverse(request):
    host = request.params.get("host", "")
    if not HOST.match(host):
        raise HTTPBadRequest()
    return Response(os.popen("dig +short -x " + host).read())


@view_config(route_name="zone")
def zone(request):
    name = request.params.get("zone", "")
    if ZONE_FILE.fullmatch(name) is None:
        raise HTTPBadRequest()
    with open("/etc/bind/zones/" + name) as fh:
        return Response(fh.read(), content_type="text/plain")


@view_config(route_name="zone_delete", request_method="POST")
def zone_delete(request):
    name = request.POST["zone"]
    if not re.search(r"\.zone$", name):
        raise HTTPBadRequest()
    os.remove("/etc/bind/zones/" + name)
    return Response(status=204)


def main(global_config, **settings):
    config = Configurator(settings=settings)
    for route in ("resolve", "reverse", "zone", "zone_delete"):
        config.add_route(route, "/" + route)
    config.scan()
    return config.make_wsgi_app()
