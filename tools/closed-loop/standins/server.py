"""What stands in for a repository that cannot be reached: names of hosts on a loopback address. Prints "ready" when it answers.

python server.py CONFIG, a JSON object: {"address": "127.77.0.1", "certificates": FOLDER, "ports": {"443": "tls", "80": "plain"}, "hosts": {NAME: HOST}}
A HOST: mode     index     PEP 503 pages for the files of `folder` at …/PROJECT/, and the files beside them
                 files     the tree of `folder`
                 forbid 403 · broken 503 · missing 404 · reset drops the connection · slow never answers
                 proxy refuses every CONNECT, login wants credentials for it (407)
        user, password   asked for (401 without)        fail_first N  the first N requests get 503, or what `fail_with` says
        cut              the first N downloads break off in the middle      hash  a hash that the pages tell instead of the real one
"""
import base64
import hashlib
import http.server
import json
import pathlib
import re
import ssl
import sys
import threading
import time
import urllib.parse

CONFIG = json.loads(sys.argv[1]) if __name__ == "__main__" else {}
COUNTS = {}


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, form, *words):
        print(self.headers.get("Host") if hasattr(self, "headers") else "", form % words, file=sys.stderr, flush=True)

    def reply(self, status, body=b"", kind="text/html", cut=False, **headers):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.close_connection = True

    def do_CONNECT(self):
        host = next((h for h in CONFIG["hosts"].values() if h["mode"] in ("proxy", "login")), {"mode": "proxy"})
        if host["mode"] == "login":
            return self.reply(407, Proxy_Authenticate='Basic realm="proxy"')
        return self.reply(403, b"blocked by policy")

    def count(self, what):
        COUNTS[what] = COUNTS.get(what, 0) + 1
        return COUNTS[what]

    def do_GET(self):
        name = self.headers.get("Host", "").split(":")[0]
        host = CONFIG["hosts"].get(name)
        if host is None:
            return self.reply(404, b"no such host")
        mode = host["mode"]
        if mode == "slow":
            time.sleep(3600)
        if mode == "reset":
            self.close_connection = True
            self.connection.close()
            return None
        if mode in ("forbid", "broken", "missing"):
            return self.reply({"forbid": 403, "broken": 503, "missing": 404}[mode], b"no")
        if mode in ("proxy", "login"):
            return self.do_CONNECT()
        if "user" in host:
            wanted = "Basic " + base64.b64encode(f"{host['user']}:{host['password']}".encode()).decode()
            if self.headers.get("Authorization") != wanted:
                return self.reply(401, b"Unauthorized", WWW_Authenticate='Basic realm="index"')
        if self.count(name) <= host.get("fail_first", 0):
            return self.reply(host.get("fail_with", 503), b"try again")
        return self.answer(host, name)

    def answer(self, host, name):
        folder = pathlib.Path(host["folder"])
        path = urllib.parse.unquote(self.path.split("?")[0].split("#")[0])
        if host["mode"] == "files":
            found = (folder / path.strip("/")).resolve()
            if folder.resolve() in [found, *found.parents] and found.is_file():
                return self.reply(200, found.read_bytes(), "application/octet-stream")
            return self.reply(404, b"Not Found")
        last = path.strip("/").split("/")[-1]
        files = {f.name: f for f in folder.rglob("*") if f.is_file() and f.name.endswith((".whl", ".tar.gz", ".zip", ".metadata"))}
        if last in files:
            cut = self.count("cut " + name) <= host.get("cut", 0)
            return self.reply(200, files[last].read_bytes(), "application/octet-stream", cut=cut)
        wanted = re.sub(r"[-_.]+", "-", last).lower()
        # …/whl/cu128/torch/ lists what lies in that folder where there is one, else all.
        scope = folder / path.strip("/").rsplit("/", 1)[0] if "/" in path.strip("/") else folder
        if not scope.is_dir():
            if host.get("scoped"):
                return self.reply(404, b"Not Found")
            scope = folder
        found = sorted(f for f in scope.rglob("*") if f.name in files and re.sub(r"[-_.]+", "-", re.split(r"-\d", f.name)[0]).lower() == wanted)
        if not found:
            return self.reply(404, b"Not Found")
        page = "".join(f'<a href="{f.name.replace("+", "%2B")}#sha256={host.get("hash") or hashlib.sha256(f.read_bytes()).hexdigest()}">{f.name}</a><br>\n' for f in found)
        return self.reply(200, f"<!DOCTYPE html><html><body>\n{page}</body></html>".encode())

    do_HEAD = do_GET


def main():
    servers = []
    for port, kind in CONFIG["ports"].items():
        server = http.server.ThreadingHTTPServer((CONFIG["address"], int(port)), Answer)
        if kind != "plain":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            name = "untrusted" if kind == "untrusted" else "leaf"
            context.load_cert_chain(f"{CONFIG['certificates']}/{name}.pem", f"{CONFIG['certificates']}/{name}.key")
            server.socket = context.wrap_socket(server.socket, server_side=True)
        servers.append(server)
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print("ready", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
