// An OpenID Connect provider on this machine: authorization code flow with PKCE, tokens signed with its own key (RS256).
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const encoded = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A running provider. Every visitor is `person`, and consents. */
export class IdentityProvider {
  #server;
  issuer = '';
  #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  /** The requests of the valid codes. */
  #codes = new Map();
  client = 'inlay console';
  secret = 's3cret: of the client';
  /** The registered redirect URLs. None at first. */
  redirect = undefined;
  /** The claims about a visitor. */
  person = {};
  /** Deliberate errors: claims of the token, parameters of the redirect. */
  wrong = { claims: {}, back: {} };
  /** Why it refused a request. Empty if all were valid. */
  refusals = [];

  static async start() {
    const provider = new IdentityProvider();
    provider.#server = createServer((request, response) => {
      provider.#answer(request, response).catch((problem) => {
        provider.refusals.push(problem.message);
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: 'invalid_request' }));
      });
    }).listen(0, '127.0.0.1');
    await once(provider.#server, 'listening');
    provider.issuer = `http://127.0.0.1:${provider.#server.address().port}`;
    return provider;
  }

  async #answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, this.issuer);
    const json = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname === '/authorize') return response.writeHead(302, { location: this.#agree(searchParams) }).end();
    if (pathname === '/token') return json(await this.#exchange(request));
    if (pathname === '/keys')
      return json({ keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] });
    if (pathname === '/.well-known/openid-configuration') {
      const at = (path) => `${this.issuer}/${path}`;
      return json({ issuer: this.issuer, authorization_endpoint: at('authorize'), token_endpoint: at('token'), jwks_uri: at('keys') });
    }
    return response.writeHead(404).end();
  }

  /** The redirect after consent, or after a refusal if `wrong.back` has an error. */
  #agree(asked) {
    const [client, redirect] = [asked.get('client_id'), asked.get('redirect_uri')];
    // An unregistered redirect URL is never followed.
    if (client !== this.client || redirect !== this.redirect) throw new Error(`${client} may not lead to ${redirect}`);
    if (asked.get('response_type') !== 'code' || asked.get('code_challenge_method') !== 'S256')
      throw new Error('no code with PKCE was asked for');
    if (!asked.get('scope').split(' ').includes('openid')) throw new Error('nobody asked who it is');
    const code = randomUUID();
    this.#codes.set(code, { redirect, challenge: asked.get('code_challenge'), nonce: asked.get('nonce') });
    const back = new URL(redirect);
    for (const [name, value] of Object.entries({ code, state: asked.get('state'), ...this.wrong.back })) {
      if (value !== undefined) back.searchParams.set(name, value);
    }
    return back.href;
  }

  async #exchange(request) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const proof = [this.client, this.secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':');
    if (request.headers.authorization !== `Basic ${Buffer.from(proof).toString('base64')}`)
      throw new Error('the client did not prove itself');
    const asked = this.#codes.get(form.get('code'));
    this.#codes.delete(form.get('code'));
    if (!asked) throw new Error('nobody has this code');
    if (form.get('grant_type') !== 'authorization_code' || form.get('redirect_uri') !== asked.redirect)
      throw new Error('the code was for something else');
    const verified = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (verified !== asked.challenge) throw new Error('the verifier does not fit its challenge');
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: this.#token(asked.nonce) };
  }

  #token(nonce) {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: this.client,
      iat: now,
      exp: now + 60,
      nonce,
      email_verified: true,
      ...this.person,
      ...this.wrong.claims,
    };
    const signed = `${encoded({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${encoded(claims)}`;
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), this.#keys.privateKey).toString('base64url')}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
