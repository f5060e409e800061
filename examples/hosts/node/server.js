// An example host in Node: its users sign in and see their own company's figures. Settings: see ../README.md.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Inlay } from '@inlay/server';

const { INLAY_URL, INLAY_API_KEY, INLAY_PROJECT_ID, INLAY_APPLICATION_ID, PORT = '4000' } = process.env;
const inlay = new Inlay({ baseUrl: INLAY_URL, apiKey: INLAY_API_KEY });

const USERS = {
  ann: { id: 'ann', name: 'Ann', company: 'acme' },
  gus: { id: 'gus', name: 'Gus', company: 'globex' },
};
/** Session → user. A real host stores them. */
const sessions = new Map();
const [page, signInPage] = await Promise.all(
  ['page', 'sign-in'].map((name) => readFile(new URL(`../${name}.html`, import.meta.url), 'utf8')),
);

const cookie = (request) => /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
const sessionCookie = (id, age) => `session=${id}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${age}`;
const home = (headers) => ({ status: 303, headers: { location: '/', ...headers } });
const html = (body) => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body });

const routes = {
  'GET /': ({ user }) =>
    html(
      user
        ? page
            .replaceAll('<!-- embed-url -->', INLAY_URL)
            .replace('<!-- application -->', INLAY_APPLICATION_ID)
            .replace('<!-- user -->', user.name)
        : signInPage,
    ),

  async 'POST /sign-in'({ request }) {
    const user = USERS[new URLSearchParams(await text(request)).get('user')];
    if (!user) return { status: 400 };
    const session = randomUUID();
    sessions.set(session, user);
    return home({ 'set-cookie': sessionCookie(session, 86_400) });
  },

  'POST /sign-out'({ request }) {
    sessions.delete(cookie(request));
    return home({ 'set-cookie': sessionCookie('', 0) });
  },

  // The only call to Inlay. User and company come from the session. The browser gets only the token.
  async 'POST /token'({ user }) {
    if (!user) return { status: 401 };
    const { token, expiresAt } = await inlay.embedToken({
      projectId: INLAY_PROJECT_ID,
      organization: { externalId: user.company, properties: { company: user.company } },
      user: { externalId: user.id, name: user.name },
    });
    return {
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify({ token, expiresAt }),
    };
  },
};

async function answer(request) {
  const route = routes[`${request.method} ${new URL(request.url, 'http://host').pathname}`];
  try {
    return (await route?.({ request, user: sessions.get(cookie(request)) })) ?? { status: 404 };
  } catch (problem) {
    // Only for the log: Inlay's messages are for developers.
    console.error(problem.code ?? problem.name, problem.message);
    return { status: 502 };
  }
}

createServer(async (request, response) => {
  const { status, headers, body } = await answer(request);
  response.writeHead(status, headers).end(body);
}).listen(Number(PORT), 'localhost', () => console.log(`http://localhost:${PORT}`));
