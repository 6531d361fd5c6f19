import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { serve, type TestServer } from '../net/servers.ts';

/** How a live source behaves: well, without knowledge of the CVE, or in one of the ways in which real ones fail. */
export type Behaviour =
  | 'knows'
  | 'knows_nothing'
  | 'status_500'
  | 'status_429'
  | 'garbage'
  | 'wrong_shape'
  | 'huge'
  | 'reset'
  | 'cut_off'
  | 'hangs'
  | 'drips'
  | 'loops';

export interface LiveServer extends TestServer {
  behave: (behaviour: Behaviour) => void;
  /** Answers with this from now on. */
  say: (body: unknown) => void;
}

export const ADVISORY_ID = 'GHSA-jfh8-c2jp-5v3q';
export const SHODAN_REFERENCE = 'https://cvedb-reference.example/1';

/** Imitates `GET /advisories?cve_id=` of api.github.com (REST API version 2022-11-28). */
export function githubServer(t: TestContext, behaviour: Behaviour = 'knows'): Promise<LiveServer> {
  const advisory = {
    ghsa_id: ADVISORY_ID,
    html_url: `https://github.com/advisories/${ADVISORY_ID}`,
    summary: 'Remote code injection in a logging library',
    severity: 'critical',
    published_at: '2021-12-10T00:40:56Z',
    withdrawn_at: null,
    identifiers: [],
  };
  return liveServer(t, behaviour, { status: 200, found: [advisory], nothing: { status: 200, body: [] } });
}

/** Imitates `GET /cve/{id}` of cvedb.shodan.io. */
export function cvedbServer(t: TestContext, behaviour: Behaviour = 'knows'): Promise<LiveServer> {
  const entry = { cve_id: 'CVE-2021-44228', summary: 'It looks up names.', cvss: 10, references: [SHODAN_REFERENCE] };
  const nothing = { status: 404, body: { detail: 'No information available' } };
  return liveServer(t, behaviour, { status: 200, found: entry, nothing });
}

interface Script {
  status: number;
  found: unknown;
  nothing: { status: number; body: unknown };
}

async function liveServer(t: TestContext, first: Behaviour, script: Script): Promise<LiveServer> {
  let behaviour = first;
  let said: unknown;
  const server = await serve(t, (request, response) => {
    if (said !== undefined) json(response, 200, said);
    else BEHAVIOURS[behaviour](response, request, script);
  });
  return Object.assign(server, {
    behave(next: Behaviour) {
      behaviour = next;
    },
    say(body: unknown) {
      said = body;
    },
  });
}

const BEHAVIOURS: Record<Behaviour, (response: ServerResponse, request: IncomingMessage, script: Script) => void> = {
  knows: (response, _, { found }) => json(response, 200, found),
  knows_nothing: (response, _, { nothing }) => json(response, nothing.status, nothing.body),
  status_500: (response) => json(response, 500, { message: 'boom at /srv/upstream/secret.py' }),
  status_429: (response) => json(response, 429, { message: 'slow down' }),
  garbage: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>'),
  wrong_shape: (response) => json(response, 200, { data: { nested: [1, 2, 3] } }),
  huge: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const block = Buffer.alloc(64 * 1024, 0x20);
    const pour = (): void => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  },
  reset: (_, request) => request.socket.resetAndDestroy(),
  cut_off: (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('[{"ghsa_id":');
    setTimeout(() => response.destroy(), 20);
  },
  hangs: () => {},
  drips: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  },
  loops: (response, request) => response.writeHead(302, { location: request.url ?? '/' }).end(),
};

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
