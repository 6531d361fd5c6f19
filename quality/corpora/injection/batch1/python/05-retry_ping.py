import os
import time

from bottle import request, route, run


def retry(times, action):
    last = None
    for attempt in range(times):
        last = action()
        if last == 0:
            return last
        time.sleep(attempt)
    return last


@route("/reachable")
def reachable():
    host = request.query.host
    code = retry(3, lambda: os.system("ping -c 1 -W 1 " + host))
    return {"code": code}


@route("/gateway")
def gateway():
    host = request.query.host
    code = retry(2, lambda: os.system("ping -c 1 -W 1 10.0.0.1"))
    return {"asked": host, "code": code}


if __name__ == "__main__":
    run(host="0.0.0.0", port=8080)
