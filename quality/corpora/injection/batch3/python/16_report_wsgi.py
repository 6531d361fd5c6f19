import subprocess
from urllib.parse import parse_qs
from wsgiref.simple_server import make_server

FORMATS = ("pdf", "html", "epub")
FORBIDDEN = (";", "&", "|", "`")


def chosen_format(values):
    found = None
    for value in values:
        if value not in FORMATS:
            continue
        found = value
        break
    return found or "pdf"


def chosen_theme(values):
    theme = "plain"
    for value in values:
        theme = value
        if value == "dark":
            break
    return theme


def application(environ, start_response):
    query = parse_qs(environ.get("QUERY_STRING", ""))
    fmt = chosen_format(query.get("format", []))
    subprocess.run("pandoc /srv/report.md -o /srv/out." + fmt, shell=True, check=True)

    theme = chosen_theme(query.get("theme", []))
    subprocess.run("report-theme --set " + theme, shell=True, check=True)

    title = query.get("title", [""])[0]
    for ch in FORBIDDEN:
        title = title.replace(ch, "")
    subprocess.run(f'report-title "{title}"', shell=True, check=True)

    start_response("204 No Content", [])
    return [b""]


if __name__ == "__main__":
    make_server("0.0.0.0", 8051, application).serve_forever()
