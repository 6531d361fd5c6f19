import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { PAGES } from '../../../src/pages/list.ts';
import { LISTED } from '../../operations/fixture-networks.ts';
import { attackerSources, openHostileWorld, SOURCE_KEYS } from '../../security/hostile.ts';
import { poisonedAnswer } from '../../security/poisoned-upstreams.ts';
import { requireCleanPage } from './page-walk.ts';
import { pathsOf } from './page-paths.ts';
import { LONG_PAYLOAD, PAYLOAD, PRINTABLE_PAYLOAD, SHORT_PAYLOAD } from './payloads.ts';
import { poisonedCatalog } from './poisoned-catalog.ts';

/** Text of others is text on every page: not markup, not a script, not a link to a script, and it turns nothing around. */

const HTML = { accept: 'text/html' };
const NAME = 'poison.lab';

const world = await openHostileWorld();
after(() => world.close());
world.add(NAME, { web: hostileSite, records: hostileRecords() });
world.add(`_dmarc.${NAME}`, {
  records: { A: [], TXT: [`v=DMARC1; p=none; rua=mailto:${PRINTABLE_PAYLOAD}`.slice(0, 250)] },
});
world.add('whois.hostile.lab', { whois: (_line, socket) => socket.end(hostileWhois()) });
world.whoisRoot.answer = () => 'refer: whois.hostile.lab\n';
world.upstream.answer = (request, response) => {
  response.setHeader('content-type', 'application/json');
  const poison = { short: SHORT_PAYLOAD, long: LONG_PAYLOAD.slice(0, 6000), plain: PRINTABLE_PAYLOAD, SHORT_PAYLOAD };
  response.end(JSON.stringify(poisonedAnswer(request, NAME, LISTED.quiet, poison)));
};
const service = await world.service(
  { after },
  {
    keys: SOURCE_KEYS,
    catalog: poisonedCatalog(),
    sources: attackerSources(world),
    patienceMs: () => 5000,
  },
);

/** Pages about what is asked live. */
const LIVE_PATHS = [
  `/domain/${NAME}`,
  ...['mail', 'web', 'tls', 'technologies', 'scan', 'history'].map((part) => `/domain/${NAME}?part=${part}`),
  `/ip/${LISTED.quiet}?report=full`,
  '/as/AS65001?all=1',
  `/indicator/${NAME}`,
  `/indicator/http://${NAME}/`,
  `/indicator/${'a'.repeat(40)}`,
  `/indicator/someone%40${NAME}`,
];

describe('text of others', () => {
  for (const page of PAGES) {
    test(`is text on ${page.path}`, async () => {
      for (const path of pathsOf(page)) requireCleanPage(await service.get(path, HTML), path);
    });
  }

  for (const path of LIVE_PATHS) {
    test(`is text on ${path.slice(0, 60)}, from a hostile source`, async () => {
      const reply = await service.get(path, HTML);
      requireCleanPage(reply, path);
      assert.ok(reply.status === 200, `${path}: ${reply.status}`);
    });
  }

  test('is shown at all', async () => {
    for (const path of [`/ip/${LISTED.quiet}`, '/as/AS65001', `/indicator/${NAME}`]) {
      assert.match((await service.get(path, HTML)).text, /&lt;zq9x/, path);
    }
  });
});

function hostileRecords() {
  return {
    TXT: [
      [Buffer.from(PAYLOAD.slice(0, 200))],
      PRINTABLE_PAYLOAD.match(/[^]{1,200}/g)!.map((part) => Buffer.from(part)),
      'v=spf1 include:"><zq9x>.lab ?all',
    ],
    MX: [{ preference: 1, exchange: '"><zq9x onload=zq9()>.lab' }],
    NS: ["'><script>zq9()</script>.lab"],
  };
}

function hostileSite(request: { url?: string | undefined }, response: import('node:http').ServerResponse): void {
  if (request.url === '/robots.txt')
    return void response.end(`User-agent: *\nAllow: /\nSitemap: https://${NAME}/${PRINTABLE_PAYLOAD}\n`);
  const header = PRINTABLE_PAYLOAD.replaceAll(/[^\x20-\x7e]/g, '');
  for (const name of ['server', 'x-powered-by', 'content-security-policy', 'referrer-policy', 'permissions-policy'])
    response.setHeader(name, `nginx/1.18.0 ${header}`);
  response.setHeader('set-cookie', [`zq9=${header.replaceAll(';', '')}`]);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  const escaped = PAYLOAD.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  response.end(`<!doctype html><html lang="${escaped}"><title>${escaped}</title><meta name="generator" content="WordPress 5.0 ${escaped}">
<meta name="description" content="${escaped}"><meta property="og:title" content="${escaped}"><meta property="og:image" content="javascript:zq9()">
<link rel="icon" href="javascript:zq9()"><link rel="canonical" href="javascript:zq9()"><h1>${escaped}</h1><a href="javascript:zq9()">${escaped}</a>
<img src="data:image/svg+xml,${escaped}" alt="${escaped}"><script src="/jquery-1.2.3.js?${escaped}"></script>${PAYLOAD}`);
}

function hostileWhois(): string {
  return `Domain Name: ${NAME}\nRegistrar: ${PAYLOAD}\nRegistrar IANA ID: ${PAYLOAD}\nRegistrar URL: javascript:zq9()\nCreation Date: 2020-01-01T00:00:00Z\nDomain Status: ${PAYLOAD}\nName Server: ns1.${PAYLOAD}.lab\nRegistrant Organization: ${PAYLOAD}\nRegistrar Abuse Contact Email: a@${PAYLOAD}\n${LONG_PAYLOAD}\n`;
}
