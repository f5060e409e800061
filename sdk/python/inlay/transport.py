"""Retries calls that can be repeated, and raises errors as exceptions, with and without asyncio."""

import asyncio
import random
import re
import time

import httpx

from .errors import InlayError

# Statuses of a service, or of what stands before it, that is not there just now.
ABSENT = {502, 503, 504}
# Calls that may be made twice: the sign-ins write what is already so.
REPEATABLE = re.compile(r"/projects/(embed|user)-token$")
FIRST_WAIT = 0.2
# The longest wait that a call takes upon itself, in seconds: beyond it the refusal is the caller's.
LONGEST_WAIT = 2.0


def _repeatable(request: httpx.Request) -> bool:
    return request.method in {"GET", "PUT", "DELETE"} or REPEATABLE.search(request.url.path) is not None


def _wait(request: httpx.Request, response: httpx.Response | None, tried: int) -> float | None:
    """Seconds before the next attempt. None if the response is final."""
    if response is not None and response.status_code != 429:
        if response.status_code not in ABSENT or not _repeatable(request):
            return None
    if response is None and not _repeatable(request):
        return None
    try:
        seconds = float(response.headers["retry-after"]) if response is not None else None
    except (KeyError, ValueError):
        seconds = None
    if seconds is None:
        seconds = FIRST_WAIT * 2**tried * (0.5 + random.random() / 2)
    return seconds if seconds <= LONGEST_WAIT else None


class Patient(httpx.BaseTransport):
    """Retries, and raises `InlayError` if the call still fails."""

    def __init__(self, inner: httpx.BaseTransport, retries: int) -> None:
        self._inner = inner
        self._retries = retries

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        for tried in range(self._retries + 1):
            response, problem = None, None
            try:
                response = self._inner.handle_request(request)
            except httpx.TransportError as error:
                problem = error
            if response is not None and response.status_code < 400:
                return response
            if response is not None:
                response.read()
            seconds = _wait(request, response, tried)
            if seconds is None or tried == self._retries:
                break
            time.sleep(seconds)
        if problem is not None:
            raise problem
        raise InlayError.read(response)

    def close(self) -> None:
        self._inner.close()


class AsyncPatient(httpx.AsyncBaseTransport):
    """The same for asyncio."""

    def __init__(self, inner: httpx.AsyncBaseTransport, retries: int) -> None:
        self._inner = inner
        self._retries = retries

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for tried in range(self._retries + 1):
            response, problem = None, None
            try:
                response = await self._inner.handle_async_request(request)
            except httpx.TransportError as error:
                problem = error
            if response is not None and response.status_code < 400:
                return response
            if response is not None:
                await response.aread()
            seconds = _wait(request, response, tried)
            if seconds is None or tried == self._retries:
                break
            await asyncio.sleep(seconds)
        if problem is not None:
            raise problem
        raise InlayError.read(response)

    async def aclose(self) -> None:
        await self._inner.aclose()
