"""How the service refuses."""

from collections.abc import Mapping
from typing import Any

import httpx


class InlayError(Exception):
    """A refusal of the service. Its message speaks to developers, not to a host's users."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        """`UPPER_CASE`, stable; `generated.models.ErrorCode` lists those known when this client was made."""
        self.details = dict(details or {})
        """For invalid input: a field's path → what is wrong with it."""
        self.request_id = request_id
        """Ties the call to a line of the service's log."""

    @classmethod
    def read(cls, response: httpx.Response) -> "InlayError":
        """Reads a refusal; a body that is none of the service's (a proxy's page) is a `NO_ANSWER`."""
        request_id = response.headers.get("x-request-id")
        try:
            error = response.json()["error"]
            return cls(response.status_code, error["code"], error["message"], error.get("details"), request_id)
        except (ValueError, KeyError, TypeError):
            message = f"The service answered {response.status_code}"
            return cls(response.status_code, "NO_ANSWER", message, request_id=request_id)
