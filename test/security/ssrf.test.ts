import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { after, before, beforeEach, describe, test } from 'node:test';
import { redirect } from '../lab/site.ts';
import type { Reply, TestService } from '../support/service.ts';
import { put, questionsAbout } from './endpoints.ts';
import { type HostileHost, type HostileWorld, leaksIn, openHostileWorld } from './hostile.ts';

/** Every way in which something else than the caller names a place to go to, with every way of writing one that must not be gone to. */

const NUMBERS = [
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.64.0.1',
  '100.100.100.200',
  '198.18.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::80ff:fffe]',
  '[fe80::1]',
  '[fe80::5efe:127.0.0.1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[5f00::1]',
  ...ownAddresses(),
];
const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'a.localhost',
  'metadata.google.internal',
  'printer.local',
  'nas.lan',
  'wiki.corp',
  'router.home.arpa',
  'private.lab',
  'loopback.lab',
  'loopback6.lab',
  'mapped.lab',
  'nat64.lab',
  'link-local.lab',
  'mixed.lab',
  'alias-private.lab',
];
/** Those that a record can hold. */
const FOURS = NUMBERS.filter((place) => /^[1-9]\d*(?:\.\d+){3}$/.test(place));
const PLACES = [...NUMBERS, ...NAMES];
/** In a header bytes beyond ASCII mean nothing certain. */
const ASCII_PLACES = PLACES.filter((place) => /^[!-~]+$/.test(place));
/** As a server writes it into a header or a record. */
const ODD_PLACES = [
  '[fe80::1%25lo]',
  'www.kept.lab@127.0.0.1',
  '127.0.0.1#@www.kept.lab',
  '127.0.0.1\\@www.kept.lab',
  '127.0.0.1:443',
  '[::1]:80',
];
/** Few questions at a time, with four times the usual time: so that each is answered on a busy machine, too. */
const timeScale = 4;
const AT_ONCE = 8;

let world: HostileWorld;
let service: TestService;
let count = 0;
let attempts = 0;
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => ends.push(end) };

before(async () => {
  world = await openHostileWorld();
  ends.push(() => world.close());
});
beforeEach(async () => {
  service = await world.service(owner, { timeScale });
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** A name that nobody asked about before: nothing is cached, no limit is near. */
function add(host: HostileHost, below = ''): string {
  const name = `t${++count}.lab`;
  world.add(`${below}${name}`, host);
  return name;
}

/** Asks, and judges what came back. `shown`: as in `leaksIn`. */
async function attempt({ path, body }: { path: string; body?: unknown }, shown = false): Promise<Reply> {
  const started = performance.now();
  const reply = await put(service, { path, body });
  attempts++;
  const ms = performance.now() - started;
  assert.ok(ms < 60_000, `${path}: ${ms} ms`);
  assert.notEqual(reply.status, 500, `${path}: ${reply.text}`);
  assert.deepEqual(world.lab.escapes, [], path);
  assert.equal(world.lab.trap.connections, 0, path);
  assert.deepEqual(leaksIn(reply.text, shown), [], `${path}: ${reply.text}`);
  for (const { input } of reply.status === 200 ? (reply.body.next_calls ?? []) : [])
    assert.deepEqual(leaksIn(String(input)), [], `${path} suggests ${input}`);
  for (const port of [world.upstream.port, Number(world.lab.netOptions.dnsServers[0]!.split(':')[1])])
    assert.ok(!reply.text.includes(`:${port}`), `${path} names an upstream: ${reply.text}`);
  return reply;
}

after(() => {
  assert.ok(attempts > 1000, `only ${attempts} attempts`);
  for (const line of service.logLines()) assert.deepEqual(leaksIn(line), [], line);
});

const inBatches = async <Item>(items: readonly Item[], each: (item: Item) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(each));
};

describe('nothing within is reached', () => {
  test('by what the caller himself names', async () => {
    await inBatches(
      PLACES.flatMap((place) => questionsAbout(place)),
      (question) => attempt(question, true),
    );
    await inBatches(PLACES, async (place) => {
      for (const url of [
        `http://${place}/`,
        `https://${place}:8443/x?y=1`,
        `http://${place}:${world.lab.trap.port}/`,
      ]) {
        const { status } = await attempt({ path: `/v1/redirect/${encodeURIComponent(url)}` }, true);
        assert.ok(status >= 400 && status < 500, `${url}: ${status}`);
      }
    });
  });

  test('by a redirect of a page', async () => {
    await inBatches([...PLACES, ...ODD_PLACES], async (place) => {
      const location = `http://${place}/`;
      const name = add({ web: onlyPath('/', redirect(location)) });
      const { status, body } = await attempt({ path: `/v1/redirect/http://${name}/` }, true);
      assert.ok(status === 200 && (body.truncated === true || /kept\.lab/.test(body.final_url)), JSON.stringify(body));
    });
  });

  test('by a redirect of a page, for whom reads pages', async () => {
    await inBatches(ASCII_PLACES, async (place) => {
      const name = add({ web: onlyPath('/', redirect(`https://${place}/`, 307)) });
      const { status } = await attempt({ path: `/v1/seo/${name}` });
      assert.ok(status >= 400, place);
    });
  });

  test('by a redirect of robots.txt', async () => {
    await inBatches(ASCII_PLACES, async (place) => {
      const name = add({ web: onlyPath('/robots.txt', redirect(`http://${place}/robots.txt`)) });
      assert.equal((await attempt({ path: `/v1/robots/${name}` })).status, 502, place);
      assert.equal((await attempt({ path: `/v1/geo/${name}` })).status, 403, place);
      assert.ok(!world.reached.some((line) => line.endsWith(` ${name} /`)), 'its page was fetched all the same');
    });
  });

  test('by a redirect of llms.txt', async () => {
    await inBatches(PLACES, async (place) => {
      const name = add({ web: onlyPath('/llms.txt', redirect(`http://${place}/llms.txt`)) });
      await attempt({ path: `/v1/geo/${name}` });
    });
  });

  test('by addresses and aliases of a name, whatever is asked about it', async () => {
    const records: HostileHost['records'][] = [
      ...FOURS.map((place) => ({ A: [place] })),
      ...NUMBERS.filter((place) => place.startsWith('[')).map((place) => ({ A: [], AAAA: [place.slice(1, -1)] })),
      ...NAMES.filter((name) => /^[a-z0-9.-]+\.[a-z]+$/.test(name)).map((name) => ({ CNAME: [name] })),
      { A: ['5.57.250.9', '127.0.0.1'] },
      {
        MX: [
          { preference: 1, exchange: 'localhost' },
          { preference: 2, exchange: 'private.lab' },
        ],
        NS: ['loopback.lab', 'localhost'],
      },
    ];
    // All vet addresses at one place: each name is asked about by every fourth operation, each operation about every fourth name.
    await inBatches([...records.entries()], async ([turn, given]) => {
      const name = add({ records: given! });
      // What stands in the public DNS under a name is what is asked for.
      // Asking for hundreds of names below is no other way than asking for one.
      for (const [at, question] of questionsAbout(name).entries())
        if (at % 4 === turn % 4 && question.operation !== 'subdomain_enum') await attempt(question, true);
    });
  });

  test('by an address that changes between two looks', async () => {
    await inBatches([1, 2, 3, 4, 5, 6], async (turn) => {
      let asked = 0;
      const address = (): readonly unknown[] => [++asked > turn ? '127.0.0.1' : '5.57.250.77'];
      const name = add({ records: { A: address }, web: (_request, response) => void response.end('x') });
      for (const question of questionsAbout(name)) await attempt(question, true);
    });
  });

  test('by where an MTA-STS policy lies, or leads', async () => {
    await inBatches(FOURS, async (place) => {
      const name = add({ records: { MX: [{ preference: 1, exchange: 'mx1.mail.lab' }] } });
      world.add(`_mta-sts.${name}`, { records: { A: [], TXT: ['v=STSv1; id=1'] } });
      world.add(`mta-sts.${name}`, { records: { A: [place] } });
      assert.equal((await attempt({ path: `/v1/email/security-posture/${name}` })).status, 200);
    });
    await inBatches(PLACES, async (place) => {
      const name = add({ records: { MX: [{ preference: 1, exchange: 'mx1.mail.lab' }] } });
      world.add(`_mta-sts.${name}`, { records: { A: [], TXT: ['v=STSv1; id=1'] } });
      world.add(`mta-sts.${name}`, {
        web: (_request, response) => void response.writeHead(302, { location: encodeURI(`http://${place}/`) }).end(),
      });
      await attempt({ path: `/v1/email/security-posture/${name}` });
    });
  });

  test('by names in SPF, DMARC, TLS-RPT and BIMI', async () => {
    await inBatches(PLACES, async (place) => {
      const name = add({
        records: {
          TXT: [`v=spf1 include:${place} a:${place} mx:${place} exists:${place} ptr:${place} redirect=${place}`],
          MX: [{ preference: 1, exchange: 'mx1.mail.lab' }],
        },
      });
      world.add(`_dmarc.${name}`, {
        records: { A: [], TXT: [`v=DMARC1; p=none; rua=mailto:x@${place},https://${place}/`] },
      });
      world.add(`_smtp._tls.${name}`, { records: { A: [], TXT: [`v=TLSRPTv1; rua=https://${place}/`] } });
      world.add(`default._bimi.${name}`, {
        records: { A: [], TXT: [`v=BIMI1; l=https://${place}/l.svg; a=https://${place}/`] },
      });
      await attempt({ path: `/v1/email/security-posture/${name}` }, true);
    });
  });

  test('by where a certificate says that its issuer lies', async () => {
    await inBatches(PLACES, async (place) => {
      const name = add({
        tls: (_request, response) => void response.end(),
        certificate: { issuerUrl: encodeURI(`http://${place}/ca.der`) },
      });
      const { status, text } = await attempt({ path: `/v1/ssl/${name}` });
      assert.equal(status, 200, `${place}: ${text}`);
    });
  });

  test('by referrals of WHOIS', async () => {
    const own = await world.service(owner, { timeScale, sources: { whois: world.whoisRoot.url } });
    await inBatches(PLACES, async (place) => {
      const tld = `w${++count}`;
      world.add(`name.${tld}`, {});
      const before = world.whoisRoot.answer;
      world.whoisRoot.answer = (line) => (line === tld ? `refer: ${place}\n` : before(line));
      const { status, text: said } = await own.get(`/v1/whois/name.${tld}`);
      assert.ok(status >= 400, `${place}: ${said}`);
      assert.deepEqual(leaksIn(said), [], said);
    });
    world.whoisRoot.answer = () => 'refer: whois.hostile.lab\n';
    world.add('whois.hostile.lab', {
      whois: (line, socket) =>
        socket.end(
          `Domain Name: ${line}\nRegistrar WHOIS Server: ${places.get(line)}\nRegistrar URL: http://127.0.0.1/\n`,
        ),
    });
    const places = new Map<string, string>();
    await inBatches(PLACES, async (place) => {
      const name = add({});
      places.set(name, place);
      const { text: said } = await own.get(`/v1/whois/${name}`);
      assert.deepEqual(leaksIn(said), [], said);
    });
    assert.deepEqual([world.lab.escapes, world.lab.trap.connections], [[], 0]);
  });

  test('by services, links and redirects of RDAP', async () => {
    const own = await world.service(owner, { timeScale, sources: { rdap: `${world.upstream.url}rdap/` } });
    const tlds = new Map(PLACES.map((place) => [`r${++count}`, place]));
    world.add('rdap.hostile.lab', {
      web: (request, response) => {
        const [, how = '', , domain = ''] = (request.url ?? '').split('/');
        const place = links.get(domain);
        if (how === 'moved')
          return void response.writeHead(302, { location: encodeURI(`http://${place}/domain/${domain}`) }).end();
        response.setHeader('content-type', 'application/rdap+json');
        const link = { rel: 'related', type: 'application/rdap+json', href: `http://${place}/domain/${domain}` };
        response.end(JSON.stringify({ objectClassName: 'domain', ldhName: domain, links: [link] }));
      },
    });
    const links = new Map<string, string>();
    world.upstream.answer = (_request, response) =>
      void response.end(
        JSON.stringify({
          services: [
            ...[...tlds].map(([tld, place]) => [
              [tld],
              [`http://${place}/`, `http://${place}:${world.lab.trap.port}/`],
            ]),
            [['linked'], ['http://rdap.hostile.lab/linked/']],
            [['moved'], ['http://rdap.hostile.lab/moved/']],
          ],
        }),
      );
    const names = [...tlds.keys()].map((tld) => `name.${tld}`);
    for (const place of PLACES) {
      for (const how of ['linked', 'moved']) {
        const name = `d${++count}.${how}`;
        links.set(name, place);
        names.push(name);
      }
    }
    await inBatches(names, async (name) => {
      world.add(name, {});
      const { status, text: said } = await own.get(`/v1/whois/${name}`);
      assert.notEqual(status, 500);
      assert.deepEqual(leaksIn(said), [], said);
    });
    assert.ok(
      world.reached.some((line) => line.includes('rdap.hostile.lab /moved/')),
      'the service was not asked at all',
    );
    assert.deepEqual([world.lab.escapes, world.lab.trap.connections], [[], 0]);
  });

  test('by upstreams that redirect', async () => {
    const ids = [
      'crtsh',
      'wayback',
      'urlhaus',
      'threatfox',
      'malwarebazaar',
      'internetdb',
      'shodan',
      'abuseipdb',
      'ripestat',
      'rdap',
      'hibp',
    ];
    const own = await world.service(owner, {
      timeScale,
      sources: Object.fromEntries(ids.map((id) => [id, world.upstream.url])),
      keys: { SEXTANT_ABUSECH_KEY: 'k1-secret', SEXTANT_ABUSEIPDB_KEY: 'k2-secret', SEXTANT_SHODAN_KEY: 'k3-secret' },
    });
    for (const location of [
      world.lab.trap.url,
      '//127.0.0.1:22/',
      'file:///etc/passwd',
      `http://localhost:${world.lab.trap.port}/`,
    ]) {
      world.upstream.answer = (_request, response) => void response.writeHead(307, { location }).end();
      const name = add({});
      for (const { path, body } of [
        ...questionsAbout(name),
        ...['ip', 'threat-report', 'asn'].map((of) => ({ path: `/v1/${of}/5.57.${count % 200}.9`, body: undefined })),
        { path: `/v1/hash/${'a'.repeat(40)}`, body: undefined },
        { path: `/v1/password/${'a'.repeat(40)}`, body: undefined },
      ]) {
        const { status, text: said } = await put(own, { path, body });
        assert.notEqual(status, 500, path);
        assert.deepEqual(leaksIn(said), [], `${path}: ${said}`);
        assert.doesNotMatch(said, /k\d-secret/);
      }
    }
    assert.equal(world.lab.trap.connections, 0);
    assert.doesNotMatch(own.logLines().join('\n'), /k\d-secret/);
  });

  test('by what a page, its headers and its hints name', async () => {
    const place = `127.0.0.1:${world.lab.trap.port}`;
    const page = `<!doctype html><base href="http://${place}/"><meta http-equiv="refresh" content="0; url=http://${place}/">
<link rel="icon" href="http://${place}/i"><link rel="canonical" href="http://${place}/c"><link rel="preload" href="http://${place}/p">
<script src="http://${place}/s.js"></script><iframe src="http://${place}/f"></iframe><img src="http://${place}/g"><meta property="og:image" content="http://${place}/o">`;
    const name = add({
      web: (request, response) => {
        if (request.url === '/robots.txt')
          return void response.end(`User-agent: *\nAllow: /\nSitemap: http://${place}/sitemap.xml\nHost: ${place}\n`);
        response.setHeader('refresh', `0; url=http://${place}/`);
        response.setHeader('alt-svc', `h3="${place}"; ma=60`);
        response.setHeader('content-location', `http://${place}/`);
        response.setHeader('link', `<http://${place}/>; rel=preload`);
        response.setHeader('location', `http://${place}/`);
        response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      },
    });
    for (const question of questionsAbout(name)) await put(service, question);
    assert.deepEqual([world.lab.escapes, world.lab.trap.connections], [[], 0]);
  });

  test('while by the same ways what is public is reached', async () => {
    const rest = '.public.lab';
    const there: string[] = [];
    for (const way of ['page', 'robots', 'llms', 'sts', 'issuer'])
      world.add(`${way}${rest}`, { web: (_request, response) => void (there.push(way), response.end()) });
    const to = (way: string): Location => ({ headers: { location: `http://${way}${rest}/` } });
    await attempt({ path: `/v1/redirect/http://${add({ web: onlyPath('/', to('page')) })}/` });
    await attempt({ path: `/v1/robots/${add({ web: onlyPath('/robots.txt', to('robots')) })}` });
    await attempt({ path: `/v1/geo/${add({ web: onlyPath('/llms.txt', to('llms')) })}` });
    await attempt({
      path: `/v1/ssl/${add({ tls: (_request, response) => void response.end(), certificate: { issuerUrl: `http://issuer${rest}/ca.der` } })}`,
    });
    const mail = add({ records: { MX: [{ preference: 1, exchange: 'mx1.mail.lab' }] } });
    world.add(`_mta-sts.${mail}`, { records: { A: [], TXT: ['v=STSv1; id=1'] } });
    world.add(`mta-sts.${mail}`, { web: (_request, response) => void (there.push('sts'), response.end()) });
    await attempt({ path: `/v1/email/security-posture/${mail}` });
    assert.deepEqual([...new Set(there)].sort(), ['issuer', 'llms', 'page', 'robots', 'sts']);
  });

  test('nor is the reverse name of an address within asked for', async () => {
    const name = add({ records: { A: ['10.20.30.40', '172.20.0.3'], AAAA: ['fd00::17', '::ffff:10.20.30.41'] } });
    world.lab.requests.clear();
    for (const question of questionsAbout(name)) await put(service, question);
    const asked = world.lab.requests.rows().filter((row) => row.server === 'dns' && row.host.endsWith('arpa'));
    assert.deepEqual(asked, []);
  });
});

interface Location {
  status?: number;
  headers?: Readonly<Record<string, string | string[]>>;
}

function onlyPath(path: string, page: Location): NonNullable<HostileHost['web']> {
  return (request, response) => {
    if (request.url !== path) {
      const there = request.url === '/';
      return void response
        .writeHead(there ? 200 : 404, { 'content-type': 'text/html' })
        .end(there ? '<title>x</title>' : '');
    }
    const location = String(page.headers?.['location']);
    // As the bytes of UTF-8, as servers send them.
    response.writeHead(page.status ?? 302, { location: Buffer.from(location).toString('latin1') }).end();
  };
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ address }) => !address.includes('%') && !address.startsWith('fe80'))
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
}
