# python server.py
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen


def signed_in(request):
    """Returns the signed-in user of your product. Use your own session, never the request's body or URL. Without a session, return None."""
    return {
        "organization": {
            "externalId": "example-customer",
            "name": "Example customer",
            "properties": {
                "{{organization.key}}": "{{organization.value}}",
            },
        },
        "user": {
            "externalId": "example-user",
            "name": "Example user",
            "userRoleId": "{{role}}",
            "properties": {
                "{{user.key}}": "{{user.value}}",
            },
        },
    }


def embed_token(person):
    call = Request(
        "{{api}}/v1/api/projects/embed-token",
        data=json.dumps({"projectId": "{{project}}", **person}).encode(),
        headers={"Authorization": "Bearer " + os.environ["INLAY_API_KEY"], "Content-Type": "application/json"},
    )
    with urlopen(call, timeout=10) as answer:
        data = json.load(answer)["data"]
    return {"token": data["token"], "expiresAt": data["expiresAt"]}


class Host(BaseHTTPRequestHandler):
    def do_POST(self):
        if self.path != "/analytics/token":
            return self.send(404, {})
        person = signed_in(self)
        if person is None:
            return self.send(401, {})
        try:
            return self.send(200, embed_token(person))
        except HTTPError as refusal:
            # The body has the code and the message.
            print("embed-token answered", refusal.code, refusal.read().decode(errors="replace"), file=sys.stderr)
        except (URLError, TimeoutError) as problem:
            print("embed-token cannot be reached:", problem, file=sys.stderr)
        return self.send(502, {})

    def send(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("localhost", int(os.environ.get("PORT", "4000"))), Host).serve_forever()
