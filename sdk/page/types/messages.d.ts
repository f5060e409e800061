// Written by `INLAY_WRITE=1 cargo test -p inlay-contract --test messages`; do not edit.

/** Who changed the filters. */
export type Source = 'user' | 'host' | 'default';

/** The state of a token's lifetime. */
export type SessionState = 'expiring' | 'expired';

/** The codes of `embed:error`. */
export type ErrorCode = 'INVALID_PARAMETER' | 'CHART_FAILED' | 'TOKEN_REFUSED';

/** The page answers to messages. Posted once. */
export interface ReadyMessage {
  type: 'embed:ready';
  v: 1;
  /** Whether the page waits for its first token. */
  awaitingToken: boolean;
}

/** Every chart of a dashboard is drawn. Posted once for each dashboard that opens. */
export interface LoadedMessage {
  type: 'embed:loaded';
  v: 1;
  /** Milliseconds since the dashboard was requested. */
  durationMs: number;
  /** How many charts are drawn, empty ones included. */
  charts: number;
}

/** The content has another height. */
export interface HeightMessage {
  type: 'embed:height';
  v: 1;
  /** The height in CSS pixels. */
  height: number;
}

/** The active filters have changed. */
export interface ParamsMessage {
  type: 'embed:params';
  v: 1;
  /** The active filters as a query string; empty without any. */
  search: string;
  /** Who changed them. */
  source: Source;
}

/** The token expires soon, or has expired. */
export interface SessionMessage {
  type: 'embed:session';
  v: 1;
  /** Which of the two. */
  state: SessionState;
}

/** Something went wrong that the host should know. */
export interface ErrorMessage {
  type: 'embed:error';
  v: 1;
  /** What kind of error. */
  code: ErrorCode;
  /** A sentence for the host's developer. */
  message: string;
}

/** Use this token from now on. */
export interface SetTokenMessage {
  type: 'embed:set-token';
  v: 1;
  /** The token. */
  token: string;
}

/** Replace all filters by these. */
export interface SetParamsMessage {
  type: 'embed:set-params';
  v: 1;
  /** The filters as a query string; empty clears them. */
  search: string;
}

/** What a page posts to its host. */
export type PageMessage = ReadyMessage | LoadedMessage | HeightMessage | ParamsMessage | SessionMessage | ErrorMessage;

/** What a host posts to a page. */
export type HostMessage = SetTokenMessage | SetParamsMessage;
