"""The errors of the service."""

from collections.abc import Mapping
from typing import Any

import httpx


class InlayError(Exception):
    """An error from the service. Its message is for developers, not for a host's users."""

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
        """A stable code in `UPPER_CASE`. `generated.models.ErrorCode` lists the codes known to this client."""
        self.details = dict(details or {})
        """For invalid input: the path of each bad field, with the reason."""
        self.request_id = request_id
        """The request's id in the service's log."""

    @classmethod
    def read(cls, response: httpx.Response) -> "InlayError":
        """Parses an error. A body that is not the service's own (such as a proxy's page) becomes `NO_ANSWER`."""
        request_id = response.headers.get("x-request-id")
        try:
            error = response.json()["error"]
            return cls(response.status_code, error["code"], error["message"], error.get("details"), request_id)
        except (ValueError, KeyError, TypeError):
            message = f"The service answered {response.status_code}"
            return cls(response.status_code, "NO_ANSWER", message, request_id=request_id)
