import type { ErrorCode, HeightMessage, LoadedMessage, ReadyMessage, SessionState, Source } from './messages.js';

/** A filter's value: a scalar, any of several, a range (`to` exclusive), or a relative period such as `last_7_days`. */
export type FilterValue =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | { from?: string | number; to?: string | number }
  | { relative: string };

/**
 * Filters by the key of their control (`region`), or by their column (`f_<connection>.<table>.<column>`). Keys without a value are
 * left out.
 */
export type Filters = Record<string, FilterValue | null | undefined>;

/** Parameters of the page's address. `true` switches a flag on; objects and lists are written as JSON. */
export interface Parameters {
  hideHeader?: boolean;
  hideDownloadButton?: boolean;
  transparent?: boolean;
  /** IANA name of the zone whose days count. */
  timezone?: string;
  /** BCP 47. */
  locale?: string;
  /** What a database-native row policy reads. */
  dbAuthToken?: string;
  /** Of a workspace: the first message. */
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

/** A token as the host's server passed it on, or null when nobody is signed in any more. */
export type TokenAnswer = string | { token: string; expiresAt?: string } | null;

/**
 * Asks the host's own server for a new token; each call must sign in anew. `signal` is aborted when nobody waits any more.
 * A rejection is tried again, with growing waits.
 */
export type FetchToken = (call: { signal: AbortSignal }) => TokenAnswer | Promise<TokenAnswer>;

export interface FiltersEvent {
  /** The active filters, as `setFilters` takes them. */
  filters: Filters;
  /** The same as a query string. */
  search: string;
  /** Who moved them. What `setFilters` did is not reported. */
  source: Exclude<Source, 'host'>;
}

export interface ErrorEvent {
  /**
   * Of the page: `INVALID_PARAMETER`, `CHART_FAILED`, `TOKEN_REFUSED`. Of the script: `TOKEN_FETCH_FAILED`, and `FRAME_SILENT` when the
   * page does not answer (a wrong address, a policy that forbids the frame).
   */
  code: ErrorCode | 'TOKEN_FETCH_FAILED' | 'FRAME_SILENT';
  message: string;
  /** What `fetchToken` threw. */
  error?: unknown;
  /** When the next try is. */
  retryInMs?: number;
}

/** Which page: a `url`, or `embedUrl` with ids. */
export interface Page {
  /** The whole address, without a token. */
  url?: string;
  /** Where the pages are: `{embed_url}`. */
  embedUrl?: string;
  /** All dashboards of an application; with `dashboard`, that one alone. */
  application?: string;
  /** One dashboard, wherever it is. */
  dashboard?: string;
  /** With `workspace`: the chat. */
  project?: string;
  workspace?: string;
}

export interface Options extends Page {
  fetchToken: FetchToken;
  /** Embeds of the same user share one token and its renewal. Left out, embeds with the same `fetchToken` do. */
  user?: unknown;
  params?: Parameters;
  filters?: Filters;
  /** Whether the frame is as high as its content. Default true; otherwise it fills the element. */
  autoHeight?: boolean;
  /** The frame's height until the page reports its own, in CSS pixels. Default 480. */
  height?: number;
  /** The frame's name for screen readers. Default `Analytics`. */
  title?: string;
  onReady?(event: Pick<ReadyMessage, 'awaitingToken'>): void;
  onLoaded?(event: Pick<LoadedMessage, 'durationMs' | 'charts'>): void;
  onFilters?(event: FiltersEvent): void;
  /** `expiring`, `expired`, `renewed` (the page has another token), `ended` (`fetchToken` answered null). */
  onSession?(event: { state: SessionState | 'renewed' | 'ended' }): void;
  onHeight?(event: Pick<HeightMessage, 'height'>): void;
  onError?(event: ErrorEvent): void;
}

/** An embed on the page. After `destroy` its methods do nothing. */
export interface Embed {
  readonly frame: HTMLIFrameElement;
  /** Puts these filters in the place of all; the page stays. */
  setFilters(filters: Filters): void;
  /** Puts these parameters in the place of all; the page opens again, with its filters. */
  setParams(params: Parameters): void;
  /** Opens the page again, with fresh rows and its filters. */
  refresh(): void;
  /** Removes the frame, its listeners and timers. */
  destroy(): void;
}

/** Puts an embed into an element. */
export function mount(element: Element | string, options: Options): Embed;
