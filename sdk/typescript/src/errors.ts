import type { components } from './schema.js';

/** The codes that were known when this client was created. A newer service may send others. */
export type ErrorCode = components['schemas']['ErrorCode'] | (string & {});

/** An error from the service. Its message is for developers, not for a host's users. */
export class InlayError extends Error {
  override readonly name = 'InlayError';

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    /** For invalid input: the path of each bad field, with the reason. */
    readonly details: Readonly<Record<string, unknown>> = {},
    /** The request's id in the service's log. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }

  /** Parses an error response. A response that is not the service's own (such as a proxy's page) becomes `NO_ANSWER`. */
  static from(response: Response, body: unknown): InlayError {
    const error = (body as Partial<components['schemas']['Failure']> | undefined)?.error;
    const requestId = response.headers.get('x-request-id');
    if (!error?.code) return new InlayError(response.status, 'NO_ANSWER', `The service answered ${response.status}`, {}, requestId);
    return new InlayError(response.status, error.code, error.message, error.details, requestId);
  }
}
