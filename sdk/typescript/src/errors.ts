import type { components } from './schema.js';

/** Every code known when this client was made; a later service may answer others. */
export type ErrorCode = components['schemas']['ErrorCode'] | (string & {});

/** A refusal of the service. Its message speaks to developers, not to a host's users. */
export class InlayError extends Error {
  override readonly name = 'InlayError';

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    /** For invalid input: a field's path → what is wrong with it. */
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Ties the call to a line of the service's log. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }

  /** Reads a refusal; a body that is none of the service's (a proxy's page) is a `NO_ANSWER`. */
  static from(response: Response, body: unknown): InlayError {
    const error = (body as Partial<components['schemas']['Failure']> | undefined)?.error;
    const requestId = response.headers.get('x-request-id');
    if (!error?.code) return new InlayError(response.status, 'NO_ANSWER', `The service answered ${response.status}`, {}, requestId);
    return new InlayError(response.status, error.code, error.message, error.details, requestId);
  }
}
