// node server.mjs
import { createServer } from 'node:http';

// Returns the signed-in user of your product. Use your own session, never the request's body or URL.
// Without a session, return undefined.
function signedIn(request) {
  return {
    organization: {
      externalId: 'example-customer',
      name: 'Example customer',
      properties: {
        '{{organization.key}}': '{{organization.value}}',
      },
    },
    user: {
      externalId: 'example-user',
      name: 'Example user',
      userRoleId: '{{role}}',
      properties: {
        '{{user.key}}': '{{user.value}}',
      },
    },
  };
}

async function embedToken({ organization, user }) {
  const answer = await fetch('{{api}}/v1/api/projects/embed-token', {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.INLAY_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: '{{project}}', organization, user }),
    signal: AbortSignal.timeout(10_000),
  });
  const { data, error } = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(`embed-token answered ${answer.status} ${error?.code}: ${error?.message}`);
  return { token: data.token, expiresAt: data.expiresAt };
}

createServer(async (request, response) => {
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(body));
  };
  if (request.method !== 'POST' || request.url !== '/analytics/token') return send(404, {});
  const person = signedIn(request);
  if (!person) return send(401, {});
  try {
    return send(200, await embedToken(person));
  } catch (problem) {
    console.error(problem.message);
    return send(502, {});
  }
}).listen(process.env.PORT ?? 4000);
