// Inlay's API for a host's server: methods for the usual calls, and all endpoints with their types through `api`.
import createClient, { type Client } from 'openapi-fetch';
import { InlayError } from './errors.js';
import { patient } from './retry.js';
import type { components, paths } from './schema.js';

export { type ErrorCode, InlayError } from './errors.js';
export type { components, paths } from './schema.js';

type Schemas = components['schemas'];
/** A sign-in: `projectId`, `organization`, `user`, `expiration`. */
export type SignIn = Schemas['EmbedTokenBody'];
/** The result of a sign-in. Only `token` and `expiresAt` are for the browser. */
export type SignedIn = Schemas['EmbedToken'];
export type Role = Schemas['Role'];
export type Permissions = Schemas['Permissions'];
export type ProjectUser = Schemas['ProjectUser'];
export type Application = Schemas['ListedApplication'];
export type Dashboard = Schemas['ListedDashboard'];
export type ChartData = Schemas['ChartData'];
/** A query by measures and dimensions. */
export type ModelQuery = Schemas['ModelQueryBody'];
export type ModelAnswer = Schemas['ModelAnswer'];

export interface Settings {
  /** `{base_url}`. */
  baseUrl: string;
  /** Keep it on the server: in no page, no log, no repository. */
  apiKey: string;
  /** The id of the operator-side organization. Required with a user-scoped key. */
  organizationId?: string;
  /** The timeout of each attempt. Default 10 seconds. */
  timeoutMs?: number;
  /** The number of retries of repeatable calls, while the service is unavailable or busy. Default 2. */
  retries?: number;
  fetch?: typeof globalThis.fetch;
}

interface Answer {
  data?: { data: unknown } | undefined;
  error?: unknown;
  response: Response;
}

/** The data of a response. @throws {InlayError} if the service refused the call */
async function data<A extends Answer>(answer: Promise<A>): Promise<NonNullable<A['data']>['data']> {
  const { data, error, response } = await answer;
  if (!response.ok || !data) throw InlayError.from(response, error);
  return data.data;
}

/** A part of a list: its entries, and `after` of the next part. */
export interface Part<T> {
  entries: T[];
  next?: string | null | undefined;
}

/** The part to read: nothing for the first. */
export type After = { after?: string };

/**
 * The entries of a list one after another, by a function that reads a part of it. The next part is read when the last one is used up; entries
 * that come and go meanwhile move no others.
 */
export async function* each<T>(read: (after: After) => Promise<Part<T>>): AsyncGenerator<T> {
  let after: After | undefined = {};
  while (after) {
    const { entries, next }: Part<T> = await read(after);
    yield* entries;
    after = next ? { after: next } : undefined;
  }
}

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const entry of entries) read.push(entry);
  return read;
}

/** A client for a host's server. Every method throws `InlayError` if the service refuses the call. */
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

  /** Signs a user in: creates or updates customer and user, and returns a token. Take both from your own session. */
  async embedToken(signIn: SignIn): Promise<SignedIn> {
    return data(this.api.POST('/v1/api/projects/embed-token', { body: { ...this.#organization, ...signIn } }));
  }

  /** The project's roles. Their `id` is the value for `user.userRoleId`. */
  async roles(projectId: string): Promise<Role[]> {
    const path = { projectId };
    return (await data(this.api.GET('/v1/api/projects/{projectId}/user-roles', { params: { path, query: this.#organization } }))).userRoles;
  }

  async createRole(projectId: string, role: { name: string; permissions: Permissions }): Promise<Role> {
    const body = { ...this.#organization, ...role };
    return (await data(this.api.POST('/v1/api/projects/{projectId}/user-roles', { params: { path: { projectId } }, body }))).userRole;
  }

  /** Changes a user's role, name or properties. Missing fields stay. */
  async changeUser(projectId: string, projectUserId: string, change: Schemas['ChangeUserBody']): Promise<ProjectUser> {
    const body = { ...this.#organization, ...change };
    const path = { projectId, projectUserId };
    return (await data(this.api.PUT('/v1/api/projects/{projectId}/users/{projectUserId}', { params: { path }, body }))).projectUser;
  }

  async applications(): Promise<Application[]> {
    const read = async (after: After) => {
      const query = { ...this.#organization, ...after };
      const { applications, next } = await data(this.api.GET('/v2/api/applications', { params: { query } }));
      return { entries: applications, next };
    };
    return all(each(read));
  }

  async dashboards(applicationId: string): Promise<Dashboard[]> {
    return all(this.eachDashboard(applicationId));
  }

  /** The dashboards of an application one after another, for long lists. `limit` is the size of the parts. */
  eachDashboard(applicationId: string, limit?: number): AsyncGenerator<Dashboard> {
    return each(async (after) => {
      const query = { ...this.#organization, ...(limit === undefined ? {} : { limit }), ...after };
      const params = { path: { applicationId }, query };
      const { dashboards, next } = await data(this.api.GET('/v2/api/applications/{applicationId}/dashboards', { params }));
      return { entries: dashboards, next };
    });
  }

  /** A chart's rows without a page. Only for tables without row rules, since a key is not a user. */
  async chartData(
    at: { applicationId: string; dashboardId: string; chartId: string },
    filters?: Record<string, unknown>,
  ): Promise<ChartData> {
    const path = '/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}/data';
    return data(this.api.POST(path, { params: { path: at }, body: { ...this.#organization, filters } }));
  }

  /**
   * The answer to a query of the project's semantic model. A key sees tables without row rules alone; for a user's own rows make a
   * client with the user's token as `apiKey`.
   */
  async queryModel(projectId: string, query: ModelQuery): Promise<ModelAnswer> {
    const body = { ...this.#organization, ...query };
    return data(this.api.POST('/v2/api/projects/{projectId}/query', { params: { path: { projectId } }, body }));
  }
}
