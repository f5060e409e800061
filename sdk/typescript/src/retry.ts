/** Statuses of a service, or of what stands before it, that is not there just now. */
const ABSENT = new Set([502, 503, 504]);
/** Calls that may be made twice: the sign-ins write what is already so. */
const REPEATABLE = /\/projects\/(embed|user)-token$/;
const FIRST_WAIT = 200;
/** The longest wait that a call takes upon itself, in milliseconds: beyond it the refusal is the caller's. */
const LONGEST_WAIT = 2_000;

export interface Patience {
  /** For each try, in milliseconds. */
  timeoutMs: number;
  /** Tries after the first. */
  retries: number;
}

const pause = (milliseconds: number) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });

function repeatable({ method, url }: Request) {
  return ['GET', 'PUT', 'DELETE'].includes(method) || REPEATABLE.test(new URL(url).pathname);
}

/** How long to wait before the next try, in milliseconds; undefined when this answer is the caller's. */
function wait(request: Request, answer: Response | undefined, tried: number): number | undefined {
  if (answer && answer.status !== 429 && !(ABSENT.has(answer.status) && repeatable(request))) return undefined;
  if (!answer && !repeatable(request)) return undefined;
  const asked = Number(answer?.headers.get('retry-after') ?? Number.NaN) * 1000;
  const own = FIRST_WAIT * 2 ** tried * (0.5 + Math.random() / 2);
  const milliseconds = Number.isFinite(asked) ? asked : own;
  return milliseconds <= LONGEST_WAIT ? milliseconds : undefined;
}

/** `fetch` with a limit of time, and further tries where a call may be made twice. */
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
