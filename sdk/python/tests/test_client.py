"""The client against answers that a test gives, without a network."""

import asyncio
import json
import unittest
from collections.abc import Callable
from uuid import UUID

import httpx

from inlay import Customer, Inlay, InlayError, User
from inlay.generated.models import ErrorCode

PROJECT = UUID("0190aaaa-0000-7000-8000-000000000000")
TOKEN = {
    "token": "a.b.c",
    "expiresAt": "2026-01-01T00:00:00.000Z",
    "projectUserId": "0190aaaa-0000-7000-8000-000000000001",
    "projectOrganizationId": "0190aaaa-0000-7000-8000-000000000002",
    "userCreated": True,
    "organizationCreated": False,
}
Answer = Callable[[], httpx.Response]


def granted() -> httpx.Response:
    return httpx.Response(200, json={"status": "success", "data": TOKEN})


def refusal(status: int, code: str, headers: dict[str, str] | None = None, **rest: object) -> Answer:
    return lambda: httpx.Response(status, headers=headers, json={"status": "error", "error": {"message": code, "code": code, **rest}})


class ClientTest(unittest.TestCase):
    def client(self, *answers: Answer | Exception, **settings: object) -> Inlay:
        self.heard: list[httpx.Request] = []
        left = list(answers)

        def answer(request: httpx.Request) -> httpx.Response:
            self.heard.append(request)
            given = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(given, Exception):
                raise given
            return given()

        transport = httpx.MockTransport(answer)
        return Inlay("http://inlay.test/", "inlay_id_secret", transport=transport, async_transport=transport, **settings)

    def sign_in(self, inlay: Inlay, **user: object):
        return inlay.embed_token(PROJECT, Customer("ATL", properties={"airport": "ATL", "old": None}), User("maya", **user))

    def test_a_list_is_read_part_by_part_to_its_end(self):
        def part(*names: str, **rest: str) -> Answer:
            listed = [
                {"applicationId": str(PROJECT), "legacyWorkspaceId": None, "defaultDashboardId": None, "name": name} for name in names
            ]
            return lambda: httpx.Response(200, json={"status": "success", "data": {"applications": listed, **rest}})

        inlay = self.client(part("One", "Two", next="a-B_1"), part(next="c"), part("Three"))
        self.assertEqual([one.name for one in inlay.applications()], ["One", "Two", "Three"])
        path = "http://inlay.test/v2/api/applications"
        self.assertEqual([str(request.url) for request in self.heard], [path, f"{path}?after=a-B_1", f"{path}?after=c"])

    def test_the_model_is_asked_by_measures(self):
        data = {
            "columns": [{"name": "revenue", "type": "number", "role": "measure", "label": "Revenue"}],
            "rows": [[30.5]], "sentence": "Revenue.", "truncated": False, "cached": False, "durationMs": 2,
        }
        inlay = self.client(lambda: httpx.Response(200, json={"status": "success", "data": data}))
        query = {"measures": ["revenue"], "dimensions": [{"name": "time", "grain": "month"}]}
        answer = inlay.query_model(PROJECT, query)
        self.assertEqual((answer.rows, answer.columns[0].label, answer.sentence), ([[30.5]], "Revenue", "Revenue."))
        self.assertEqual(str(self.heard[0].url), f"http://inlay.test/v2/api/projects/{PROJECT}/query")
        self.assertEqual(self.body(), query)

    def body(self, index: int = -1) -> dict[str, object]:
        return json.loads(self.heard[index].content)

    def test_a_sign_in_is_one_call_with_the_key_in_its_header(self):
        signed_in = self.sign_in(self.client(granted))
        self.assertEqual((signed_in.token, signed_in.expires_at.year), ("a.b.c", 2026))
        [request] = self.heard
        self.assertEqual(str(request.url), "http://inlay.test/v1/api/projects/embed-token")
        self.assertEqual(request.headers["authorization"], "Bearer inlay_id_secret")
        self.assertEqual(self.body(), {
            "projectId": str(PROJECT),
            "organization": {"externalId": "ATL", "properties": {"airport": "ATL", "old": None}},
            "user": {"externalId": "maya"},
        })

    def test_a_role_of_none_is_sent_and_one_left_out_is_not(self):
        inlay = self.client(granted)
        self.sign_in(inlay, role_id=None)
        self.assertEqual(self.body()["user"], {"externalId": "maya", "userRoleId": None})
        self.sign_in(inlay, role_id=PROJECT)
        self.assertEqual(self.body()["user"], {"externalId": "maya", "userRoleId": str(PROJECT)})

    def test_a_user_scoped_keys_organization_goes_where_each_method_wants_it(self):
        self.sign_in(self.client(granted, organization_id=PROJECT))
        self.assertEqual(self.body()["organizationId"], str(PROJECT))
        data = {"status": "success", "data": {"userRoles": []}}
        self.assertEqual(self.client(lambda: httpx.Response(200, json=data), organization_id=PROJECT).roles(PROJECT), [])
        self.assertEqual(self.heard[-1].url.params["organizationId"], str(PROJECT))

    def test_the_same_works_with_asyncio(self):
        inlay = self.client(refusal(503, "UNAVAILABLE"), granted)
        signed_in = asyncio.run(inlay.embed_token_async(PROJECT, Customer("ATL"), User("maya")))
        self.assertEqual((signed_in.token, len(self.heard)), ("a.b.c", 2))

    def test_a_refusal_is_an_error_with_the_services_code(self):
        details = {"user.externalId": "is missing"}
        with self.assertRaises(InlayError) as caught:
            self.sign_in(self.client(refusal(400, "VALIDATION_FAILED", {"x-request-id": "r1"}, details=details)))
        error = caught.exception
        self.assertEqual((error.status, error.code, error.details, error.request_id), (400, "VALIDATION_FAILED", details, "r1"))
        self.assertIn(error.code, set(ErrorCode))
        self.assertEqual(len(self.heard), 1)

    def test_a_page_of_something_before_the_service_is_an_error_too(self):
        with self.assertRaises(InlayError) as caught:
            self.sign_in(self.client(lambda: httpx.Response(403, text="<html>no</html>")))
        self.assertEqual(caught.exception.code, "NO_ANSWER")

    def test_a_service_that_is_away_or_busy_is_asked_again(self):
        busy = refusal(429, "RATE_LIMITED", {"retry-after": "0"})
        self.sign_in(self.client(refusal(503, "UNAVAILABLE"), busy, granted))
        self.assertEqual(len(self.heard), 3)
        with self.assertRaises(InlayError):
            self.sign_in(self.client(busy, retries=1))
        self.assertEqual(len(self.heard), 2)

    def test_a_wait_that_is_too_long_is_the_callers(self):
        with self.assertRaises(InlayError):
            self.sign_in(self.client(refusal(429, "RATE_LIMITED", {"retry-after": "60"})))
        self.assertEqual(len(self.heard), 1)

    def test_a_network_that_fails_is_tried_again_and_then_told(self):
        self.sign_in(self.client(httpx.ConnectError("down"), granted))
        self.assertEqual(len(self.heard), 2)
        with self.assertRaises(httpx.ConnectError):
            self.sign_in(self.client(httpx.ConnectError("down")))
        self.assertEqual(len(self.heard), 3)


if __name__ == "__main__":
    unittest.main()
