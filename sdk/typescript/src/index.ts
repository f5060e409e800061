// Inlay's API for a host's server: the calls that a host makes by name, and every other one, with its types, through `api`.
import createClient, { type Client } from 'openapi-fetch';
import { InlayError } from './errors.js';
import { patient } from './retry.js';
import type { components, paths } from './schema.js';

export { type ErrorCode, InlayError } from './errors.js';
export type { components, paths } from './schema.js';

type Schemas = components['schemas'];
/** Who signs in: `projectId`, `organization`, `user`, `expiration`. */
export type SignIn = Schemas['EmbedTokenBody'];
/** What a sign-in answers. Only `token` and `expiresAt` are for the browser. */
export type SignedIn = Schemas['EmbedToken'];
export type Role = Schemas['Role'];
export type Permissions = Schemas['Permissions'];
export type ProjectUser = Schemas['ProjectUser'];
export type Application = Schemas['ListedApplication'];
export type Dashboard = Schemas['ListedDashboard'];
export type ChartData = Schemas['ChartData'];

export interface Settings {
  /** `{base_url}`. */
  baseUrl: string;
  /** Stays on the server: in no page, no log, no repository. */
  apiKey: string;
  /** With a user-scoped key: the operator-side organization. */
  organizationId?: string;
  /** For each try. Default 10 seconds. */
  timeoutMs?: number;
  /** Further tries of what may be made twice, while the service is away or busy. Default 2. */
  retries?: number;
  fetch?: typeof globalThis.fetch;
}

interface Answer {
  data?: { data: unknown } | undefined;
  error?: unknown;
  response: Response;
}

/** The data of an answer. @throws {InlayError} the service refused */
async function data<A extends Answer>(answer: Promise<A>): Promise<NonNullable<A['data']>['data']> {
  const { data, error, response } = await answer;
  if (!response.ok || !data) throw InlayError.from(response, error);
  return data.data;
}

/** The service, as a host's server calls it. Every method throws `InlayError` when the service refuses. */
export class Inlay {
  /** Every endpoint by its path: `inlay.api.POST('/v2/api/applications/{applicationId}/dashboards', …)`. */
  readonly api: Client<paths>;
  readonly #organization: { organizationId?: string };

  constructor({ baseUrl, apiKey, organizationId, timeoutMs = 10_000, retries = 2, fetch = globalThis.fetch }: Settings) {
    this.#organization = organizationId === undefined ? {} : { organizationId };
    this.api = createClient<paths>({
      baseUrl,
      headers: { authorization: `Bearer ${apiKey}` },
      fetch: patient(fetch, { timeoutMs, retries }),
    });
  }

  /** Signs a user in: makes or updates customer and user, answers a token. Take both from your own session. */
  async embedToken(signIn: SignIn): Promise<SignedIn> {
    return data(this.api.POST('/v1/api/projects/embed-token', { body: { ...this.#organization, ...signIn } }));
  }

  /** The project's roles: `id` is what `user.userRoleId` takes. */
  async roles(projectId: string): Promise<Role[]> {
    const path = { projectId };
    return (await data(this.api.GET('/v1/api/projects/{projectId}/user-roles', { params: { path, query: this.#organization } }))).userRoles;
  }

  async createRole(projectId: string, role: { name: string; permissions: Permissions }): Promise<Role> {
    const body = { ...this.#organization, ...role };
    return (await data(this.api.POST('/v1/api/projects/{projectId}/user-roles', { params: { path: { projectId } }, body }))).userRole;
  }

  /** Changes a user's role, name or properties; what is left out stays. */
  async changeUser(projectId: string, projectUserId: string, change: Schemas['ChangeUserBody']): Promise<ProjectUser> {
    const body = { ...this.#organization, ...change };
    const path = { projectId, projectUserId };
    return (await data(this.api.PUT('/v1/api/projects/{projectId}/users/{projectUserId}', { params: { path }, body }))).projectUser;
  }

  async applications(): Promise<Application[]> {
    return (await data(this.api.GET('/v2/api/applications', { params: { query: this.#organization } }))).applications;
  }

  async dashboards(applicationId: string): Promise<Dashboard[]> {
    const params = { path: { applicationId }, query: this.#organization };
    return (await data(this.api.GET('/v2/api/applications/{applicationId}/dashboards', { params }))).dashboards;
  }

  /** A chart's rows, without a page around them; those that no row rule guards, as a key is no user. */
  async chartData(
    at: { applicationId: string; dashboardId: string; chartId: string },
    filters?: Record<string, unknown>,
  ): Promise<ChartData> {
    const path = '/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}/data';
    return data(this.api.POST(path, { params: { path: at }, body: { ...this.#organization, filters } }));
  }
}
