import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

/** A key pair of an authorization server. */
export interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  /** As it is published. */
  jwk: Record<string, unknown>;
}

export async function makeKey(alg: string, kid = `${alg}-${randomUUID()}`): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A token with these claims, whatever they are. */
export function sign(key: SigningKey, claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
  const all = { alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header };
  return new SignJWT(claims).setProtectedHeader(all as JWTHeaderParameters).sign(key.privateKey);
}

/** Answers a request in place of the server; false: it does not. */
type Behaviour = (request: IncomingMessage, response: ServerResponse) => boolean;

/** An authorization server (RFC 6749, RFC 8414, RFC 7591, PKCE) on loopback, with one user, who always agrees. */
export interface AuthorizationServer {
  issuer: string;
  /** What it publishes; the first signs. */
  keys: SigningKey[];
  metadata: Record<string, unknown>;
  /** Paths that were asked for. */
  asked: string[];
  /** What it got from clients: parameters of authorization and of tokens. */
  grants: URLSearchParams[];
  behave: Behaviour;
  close: () => Promise<void>;
}

export async function startAuthorizationServer(
  owner: { after: (end: () => void | Promise<void>) => void },
  keys: SigningKey[],
): Promise<AuthorizationServer> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const state: AuthorizationServer = {
    issuer,
    keys,
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    },
    asked: [],
    grants: [],
    behave: () => false,
    close,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url!, issuer);
    state.asked.push(pathname);
    // Clients in browsers read it from other origins.
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*, mcp-protocol-version, content-type');
    if (state.behave(request, response)) return;
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (pathname === '/.well-known/oauth-authorization-server') json(200, state.metadata);
    else if (pathname === '/jwks') json(200, { keys: state.keys.map(({ jwk }) => jwk) });
    else if (pathname === '/register') {
      json(201, { ...JSON.parse(await readBody(request)), client_id: 'client-1', client_id_issued_at: 1 });
    } else if (pathname === '/authorize') {
      state.grants.push(searchParams);
      const back = new URL(searchParams.get('redirect_uri')!);
      back.searchParams.set('code', 'code-1');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
    } else if (pathname === '/token') {
      const given = new URLSearchParams(await readBody(request));
      const scope = state.grants.at(-1)?.get('scope') ?? '';
      state.grants.push(given);
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: issuer,
        sub: 'alice',
        aud: given.get('resource') ?? 'nobody',
        scope,
        client_id: 'client-1',
        iat: now,
        exp: now + 600,
        jti: randomUUID(),
      };
      const token = await sign(state.keys[0]!, claims);
      json(200, { access_token: token, token_type: 'Bearer', expires_in: 600, scope });
    } else json(404, { error: 'not_found' });
  };
  owner.after(close);
  return state;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
