/** Statuses that mean that the service or a proxy is temporarily unavailable. */
const ABSENT = new Set([502, 503, 504]);
/** Calls that can be repeated safely: repeating a sign-in has no further effect. */
const REPEATABLE = /\/projects\/(embed|user)-token$/;
const FIRST_WAIT = 200;
/** The longest wait within a call, in milliseconds. For longer waits, the error is returned. */
const LONGEST_WAIT = 2_000;

export interface Patience {
  /** The timeout of each attempt, in milliseconds. */
  timeoutMs: number;
  /** The number of retries. */
  retries: number;
}

const pause = (milliseconds: number) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });

function repeatable({ method, url }: Request) {
  return ['GET', 'PUT', 'DELETE'].includes(method) || REPEATABLE.test(new URL(url).pathname);
}

/** The wait before the next attempt, in milliseconds. Undefined if the response is final. */
function wait(request: Request, answer: Response | undefined, tried: number): number | undefined {
  if (answer && answer.status !== 429 && !(ABSENT.has(answer.status) && repeatable(request))) return undefined;
  if (!answer && !repeatable(request)) return undefined;
  const asked = Number(answer?.headers.get('retry-after') ?? Number.NaN) * 1000;
  const own = FIRST_WAIT * 2 ** tried * (0.5 + Math.random() / 2);
  const milliseconds = Number.isFinite(asked) ? asked : own;
  return milliseconds <= LONGEST_WAIT ? milliseconds : undefined;
}

/** `fetch` with a timeout and retries for repeatable calls. */
export function patient(fetch: typeof globalThis.fetch, { timeoutMs, retries }: Patience) {
  return async (request: Request): Promise<Response> => {
    for (let tried = 0; ; tried += 1) {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
      let answer: Response | undefined;
      let problem: unknown;
      try {
        answer = await fetch(new Request(request.clone(), { signal }));
      } catch (error) {
        problem = error;
      }
      const milliseconds = tried < retries && !request.signal.aborted ? wait(request, answer, tried) : undefined;
      if (milliseconds !== undefined) await pause(milliseconds);
      else if (answer) return answer;
      else throw problem;
    }
  };
}
