import type { ErrorCode, HeightMessage, LoadedMessage, ReadyMessage, SessionState, Source } from './messages.js';

/** A filter's value: a scalar, a list of alternatives, a range (`to` is exclusive), or a relative period such as `last_7_days`. */
export type FilterValue =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | { from?: string | number; to?: string | number }
  | { relative: string };

/**
 * Filters by the key of their control (`region`) or by their column (`f_<connection>.<table>.<column>`). Keys without a value
 * are left out.
 */
export type Filters = Record<string, FilterValue | null | undefined>;

/** Parameters of the page's URL. `true` turns a flag on. Objects and lists are sent as JSON. */
export interface Parameters {
  hideHeader?: boolean;
  hideDownloadButton?: boolean;
  transparent?: boolean;
  /** IANA name of the time zone for dates. */
  timezone?: string;
  /** BCP 47 language tag. */
  locale?: string;
  /** The token for the database's own row security. */
  dbAuthToken?: string;
  /** Workspaces only: the first message. */
  prompt?: string;
  theme?: 'light' | 'dark';
  placeholderOverrides?: Partial<
    Record<'userName' | 'assistantName' | 'inputPlaceholder' | 'thinkingPlaceholder' | 'disclaimerText', string>
  >;
  /** At most three. */
  exampleQuestions?: readonly string[];
  nav?: 'favorites' | 'canvas';
  [name: string]: unknown;
}

/** A token from the host's server, or null if nobody is signed in any more. */
export type TokenAnswer = string | { token: string; expiresAt?: string } | null;

/**
 * Requests a new token from the host's own server. Each call must sign in again. `signal` is aborted when the token is not
 * needed any more. A rejection is retried with growing waits.
 */
export type FetchToken = (call: { signal: AbortSignal }) => TokenAnswer | Promise<TokenAnswer>;

export interface FiltersEvent {
  /** The active filters, in the format of `setFilters`. */
  filters: Filters;
  /** The same as a query string. */
  search: string;
  /** Who changed them. Changes by `setFilters` are not reported. */
  source: Exclude<Source, 'host'>;
}

export interface ErrorEvent {
  /**
   * Codes of the page: `INVALID_PARAMETER`, `CHART_FAILED`, `TOKEN_REFUSED`. Codes of the script: `TOKEN_FETCH_FAILED`, and
   * `FRAME_SILENT` if the page does not respond (a wrong URL, or a policy that forbids the frame).
   */
  code: ErrorCode | 'TOKEN_FETCH_FAILED' | 'FRAME_SILENT';
  message: string;
  /** The error of `fetchToken`. */
  error?: unknown;
  /** The time until the next attempt, in milliseconds. */
  retryInMs?: number;
}

/** The page: a `url`, or `embedUrl` with ids. */
export interface Page {
  /** The page's URL, without a token. */
  url?: string;
  /** The base URL of the pages: `{embed_url}`. */
  embedUrl?: string;
  /** An application with all its dashboards. With `dashboard`, only that one. */
  application?: string;
  /** A dashboard by its id, in any application. */
  dashboard?: string;
  /** With `workspace`: the chat. */
  project?: string;
  workspace?: string;
}

export interface Options extends Page {
  fetchToken: FetchToken;
  /** Embeds with the same `user` share a token and its renewal. Without it, embeds with the same `fetchToken` do. */
  user?: unknown;
  params?: Parameters;
  filters?: Filters;
  /** Whether the frame is as high as its content. Default true. Otherwise it fills the element. */
  autoHeight?: boolean;
  /** The frame's height until the page reports its own, in CSS pixels. Default 480. */
  height?: number;
  /** The frame's accessible name. Default `Analytics`. */
  title?: string;
  onReady?(event: Pick<ReadyMessage, 'awaitingToken'>): void;
  onLoaded?(event: Pick<LoadedMessage, 'durationMs' | 'charts'>): void;
  onFilters?(event: FiltersEvent): void;
  /** `expiring`, `expired`, `renewed` (the page has a new token), `ended` (`fetchToken` returned null). */
  onSession?(event: { state: SessionState | 'renewed' | 'ended' }): void;
  onHeight?(event: Pick<HeightMessage, 'height'>): void;
  onError?(event: ErrorEvent): void;
}

/** An embed on the page. After `destroy`, its methods do nothing. */
export interface Embed {
  readonly frame: HTMLIFrameElement;
  /** Replaces all filters. The page stays open. */
  setFilters(filters: Filters): void;
  /** Replaces all parameters. The page opens again, with its filters. */
  setParams(params: Parameters): void;
  /** Opens the page again, with fresh rows and its filters. */
  refresh(): void;
  /** Removes the frame, its listeners and timers. */
  destroy(): void;
}

/** Embeds a page into an element. */
export function mount(element: Element | string, options: Options): Embed;
