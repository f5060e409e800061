"""Inlay's API for a host's server: methods for the usual calls, and all other endpoints through `inlay.generated.api`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx

from .errors import InlayError
from .generated.api.applications_and_dashboards import chart_data, list_applications, list_dashboards
from .generated.api.customers_and_users import change_user
from .generated.api.roles import list_roles
from .generated.api.semantic_model import query_model
from .generated.api.sign_in import embed_token
from .generated.client import AuthenticatedClient
from .generated.models import (
    ChangeUserBody,
    ChartData,
    ChartDataBody,
    EmbedToken,
    EmbedTokenBody,
    ListedApplication,
    ListedDashboard,
    ModelAnswer,
    ModelQueryBody,
    ProjectUser,
    Role,
)
from .generated.types import UNSET, Unset
from .transport import AsyncPatient, Patient

__all__ = ["Customer", "Inlay", "InlayError", "User", "each"]

Id = UUID | str


@dataclass(frozen=True)
class Customer:
    """A customer of the host. Row rules read `properties` as `{{organization.<key>}}`. None removes a property."""

    external_id: str
    name: str | None = None
    properties: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class User:
    """A user of a customer. `role_id` is applied on every call. Left out, the role stays; None removes it."""

    external_id: str
    name: str | None = None
    properties: Mapping[str, Any] | None = None
    role_id: Id | None | Unset = UNSET
    default_role_id: Id | None = None
    """The role of a new user, if `role_id` is left out."""


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with a value, for JSON."""
    texts = {name: str(value) if isinstance(value, UUID) else value for name, value in fields.items()}
    return {name: value for name, value in texts.items() if value is not None}


def _sign_in(project_id: Id, customer: Customer, user: User, expiration: str | None) -> dict[str, Any]:
    who = _given({
        "externalId": user.external_id,
        "name": user.name,
        "properties": user.properties,
        "defaultUserRoleId": user.default_role_id,
    })
    if not isinstance(user.role_id, Unset):
        who["userRoleId"] = None if user.role_id is None else str(user.role_id)
    organization = {"externalId": customer.external_id, "name": customer.name, "properties": customer.properties}
    body = {"projectId": project_id, "organization": _given(organization), "user": who, "expiration": expiration}
    return _given(body)


def each(read: Callable[..., Any], field: str) -> Iterator[Any]:
    """The entries of any list one after another. `read(after=…)` reads a part, `field` names its entries.

    The next part is read when the last one is used up. Entries that come and go meanwhile move no others.
    """
    part = read()
    yield from getattr(part, field)
    while part.next_:
        part = read(after=part.next_)
        yield from getattr(part, field)


class Inlay:
    """A client for a host's server. Every method raises `InlayError` if the service refuses the call."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        organization_id: Id | None = None,
        timeout: float = 10.0,
        retries: int = 2,
        transport: httpx.BaseTransport | None = None,
        async_transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Keep `api_key` on the server. A user-scoped key needs `organization_id`. `timeout` is in seconds per attempt."""
        self._organization = _given({"organizationId": organization_id})
        base_url = base_url.rstrip("/")
        common: dict[str, Any] = {
            "base_url": base_url, "headers": {"Authorization": f"Bearer {api_key}"}, "timeout": timeout,
        }
        self.client = AuthenticatedClient(base_url=base_url, token=api_key)
        """For every other endpoint: `generated.api.….sync(client=inlay.client, …)`."""
        self.client.set_httpx_client(httpx.Client(transport=Patient(transport or httpx.HTTPTransport(), retries), **common))
        self.client.set_async_httpx_client(
            httpx.AsyncClient(transport=AsyncPatient(async_transport or httpx.AsyncHTTPTransport(), retries), **common)
        )

    def embed_token(self, project_id: Id, customer: Customer, user: User, *, expiration: str | None = None) -> EmbedToken:
        """Signs a user in: creates or updates customer and user, and returns a token. Take both from your own session.

        Only the answer's `token` and `expires_at` are for the browser.
        """
        body = EmbedTokenBody.from_dict(self._organization | _sign_in(project_id, customer, user, expiration))
        return embed_token.sync(client=self.client, body=body).data

    async def embed_token_async(
        self, project_id: Id, customer: Customer, user: User, *, expiration: str | None = None
    ) -> EmbedToken:
        """The same for asyncio."""
        body = EmbedTokenBody.from_dict(self._organization | _sign_in(project_id, customer, user, expiration))
        return (await embed_token.asyncio(client=self.client, body=body)).data

    def roles(self, project_id: Id) -> list[Role]:
        """The project's roles. Their `id` is the value for `User.role_id`."""
        return list_roles.sync(_uuid(project_id), client=self.client, **self._query()).data.user_roles

    def change_user(self, project_id: Id, project_user_id: Id, change: Mapping[str, Any]) -> ProjectUser:
        """Changes a user's `userRoleId`, `name` or `properties`. Missing fields stay."""
        body = ChangeUserBody.from_dict(self._organization | dict(change))
        return change_user.sync(_uuid(project_id), _uuid(project_user_id), client=self.client, body=body).data.project_user

    def applications(self) -> list[ListedApplication]:
        """All applications."""
        return list(each(lambda **part: self._data(list_applications, **part), "applications"))

    def dashboards(self, application_id: Id) -> list[ListedDashboard]:
        """The shared dashboards of an application."""
        return list(self.each_dashboard(application_id))

    def each_dashboard(self, application_id: Id, *, limit: int | Unset = UNSET) -> Iterator[ListedDashboard]:
        """The shared dashboards of an application one after another, for long lists. `limit` is the size of the parts."""
        application = _uuid(application_id)
        return each(lambda **part: self._data(list_dashboards, application, limit=limit, **part), "dashboards")

    def _data(self, call: Any, *path: UUID, **query: Any) -> Any:
        return call.sync(*path, client=self.client, **self._query(), **query).data

    def chart_data(
        self, application_id: Id, dashboard_id: Id, chart_id: Id, filters: Mapping[str, Any] | None = None
    ) -> ChartData:
        """A chart's rows without a page. Only for tables without row rules, since a key is not a user."""
        body = ChartDataBody.from_dict(self._organization | _given({"filters": filters}))
        at = [_uuid(one) for one in (application_id, dashboard_id, chart_id)]
        return chart_data.sync(*at, client=self.client, body=body).data

    def query_model(self, project_id: Id, query: Mapping[str, Any]) -> ModelAnswer:
        """The answer to a query of the project's semantic model, by `measures`, `dimensions`, `filters` and so on.

        A key sees tables without row rules alone. For a user's own rows make a client with the user's token as `api_key`.
        """
        body = ModelQueryBody.from_dict(self._organization | dict(query))
        return query_model.sync(_uuid(project_id), client=self.client, body=body).data

    def _query(self) -> dict[str, UUID]:
        organization = self._organization.get("organizationId")
        return {"organization_id": UUID(organization)} if organization else {}

    def close(self) -> None:
        """Closes the connections."""
        self.client.get_httpx_client().close()


def _uuid(value: Id) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)
