"""Evaluates messages with pyspf (Debian: python3-spf) on zones that are tables. Standard input: a list of cases as JSON
(zone, ip, sender, helo). Standard output: the version, then the result of each case, as JSON."""

import json
import socket
import sys

import spf


def records(zone, name, qtype):
    name = name.lower().rstrip(".")
    for _ in range(9):
        types = zone.get(name, {})
        found = types.get(qtype, types.get("elsewhere"))
        if found == "fails":
            raise spf.TempError("DNS timeout")
        if found is not None:
            return name, found
        alias = types.get("CNAME")
        if not alias:
            return name, []
        name = alias[0].lower().rstrip(".")
    return name, []


def value_of(qtype, value):
    if qtype == "TXT":
        return (value.encode("utf-8", "surrogateescape"),)
    if qtype == "AAAA":
        return socket.inet_pton(socket.AF_INET6, value)
    return tuple(value) if qtype == "MX" else value


results = []
for case in json.load(sys.stdin):

    def lookup(name, qtype, strict=True, timeout=20, zone=case["zone"]):
        owner, found = records(zone, name, qtype)
        return [((owner, qtype), value_of(qtype, value)) for value in found]

    spf.DNSLookup = lookup
    try:
        results.append(spf.check2(i=case["ip"], s=case["sender"], h=case["helo"])[0])
    except Exception as error:
        results.append("error: %r" % error)
json.dump({"version": getattr(spf, "__version__", ""), "results": results}, sys.stdout)
