"""An example host in Python: its users sign in and see their own company's figures. Settings: see ../README.md."""

import json
import logging
import os
import secrets
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

from inlay import Customer, Inlay, User

INLAY_URL = os.environ["INLAY_URL"]
PROJECT_ID = os.environ["INLAY_PROJECT_ID"]
PORT = int(os.environ.get("PORT", "4000"))
inlay = Inlay(INLAY_URL, os.environ["INLAY_API_KEY"])

USERS = {
    "ann": {"id": "ann", "name": "Ann", "company": "acme"},
    "gus": {"id": "gus", "name": "Gus", "company": "globex"},
}
# Session → user. A real host stores them.
sessions: dict[str, dict[str, str]] = {}
folder = Path(__file__).parent.parent
sign_in_page = (folder / "sign-in.html").read_text()
page = (
    (folder / "page.html").read_text()
    .replace("<!-- embed-url -->", INLAY_URL)
    .replace("<!-- application -->", os.environ["INLAY_APPLICATION_ID"])
)


class Host(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path != "/":
            return self.answer(404)
        user = self.user()
        self.answer(200, page.replace("<!-- user -->", user["name"]) if user else sign_in_page, "text/html; charset=utf-8")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        match self.path:
            case "/sign-in":
                user = USERS.get(parse_qs(body).get("user", [""])[0])
                if not user:
                    return self.answer(400)
                session = secrets.token_urlsafe()
                sessions[session] = user
                self.home(session, 86_400)
            case "/sign-out":
                sessions.pop(self.session(), None)
                self.home("", 0)
            case "/token":
                self.token()
            case _:
                self.answer(404)

    def token(self) -> None:
        """The only call to Inlay. User and company come from the session. The browser gets only the token."""
        user = self.user()
        if not user:
            return self.answer(401)
        try:
            signed_in = inlay.embed_token(
                PROJECT_ID,
                Customer(user["company"], properties={"company": user["company"]}),
                User(user["id"], user["name"]),
            )
        except Exception:
            # Only for the log: Inlay's messages are for developers.
            logging.exception("Inlay gave no token")
            return self.answer(502)
        body = {"token": signed_in.token, "expiresAt": signed_in.expires_at.isoformat()}
        self.answer(200, json.dumps(body), "application/json")

    def session(self) -> str:
        morsel = SimpleCookie(self.headers.get("cookie", "")).get("session")
        return morsel.value if morsel else ""

    def user(self) -> dict[str, str] | None:
        return sessions.get(self.session())

    def home(self, session: str, age: int) -> None:
        cookie = f"session={session}; HttpOnly; SameSite=Lax; Path=/; Max-Age={age}"
        self.answer(303, headers={"location": "/", "set-cookie": cookie})

    def answer(self, status: int, body: str = "", kind: str = "text/plain", headers: dict[str, str] | None = None) -> None:
        content = body.encode()
        self.send_response(status)
        for name, value in {"content-type": kind, "cache-control": "no-store", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("localhost", PORT), Host)
    # It is listening now: print the line that callers wait for.
    print(f"http://localhost:{PORT}", flush=True)
    server.serve_forever()
