import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { DNS_TWINS } from '../lab/evil-dns.ts';
import { EVIL_SITES } from '../lab/evil-web.ts';
import type { Handler, Page } from '../lab/site.ts';
import type { Mode } from '../lab/upstream-server.ts';
import { WHOIS_PLANS } from '../lab/whois.ts';
import { liveBytes } from '../support/live-memory.ts';
import type { Reply, TestService } from '../support/service.ts';
import { put, type Question, questionsAbout } from './endpoints.ts';
import { type HostileWorld, leaksIn, openHostileWorld } from './hostile.ts';

/** Whoever is asked does the worst that he can: the answer comes in its time all the same, and others are answered meanwhile. */

/** Hundreds of answers at once, in one process with the lab, on a machine that may be busy. */
const GRACE_MS = 30_000;
const AT_ONCE = 100;
const MEGABYTE = 1024 * 1024;
/** The lab with its bombs is in this process too. */
const MAX_GROWTH = 300 * MEGABYTE;
const SAMPLE_EVERY_MS = 3000;

let world: HostileWorld;
let peak = 0;
const faults: unknown[] = [];
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => ends.push(end) };
const note = (fault: unknown): void => void faults.push(fault);
const KEYS = { SEXTANT_ABUSECH_KEY: 'k', SEXTANT_ABUSEIPDB_KEY: 'k', SEXTANT_SHODAN_KEY: 'k' };

before(async () => {
  process.on('uncaughtException', note).on('unhandledRejection', note);
  world = await openHostileWorld();
  ends.push(() => world.close());
  const start = liveBytes();
  const sampling = setInterval(() => (peak = Math.max(peak, liveBytes() - start)), SAMPLE_EVERY_MS);
  ends.push(() => clearInterval(sampling));
});
after(async () => {
  for (const end of ends.toReversed()) await end();
  process.off('uncaughtException', note).off('unhandledRejection', note);
  assert.deepEqual(faults, []);
  assert.ok(peak < MAX_GROWTH, `${Math.round(peak / MEGABYTE)} MB more at its worst`);
});

const SWEEPS = new Set(['subdomain_enum', 'domain_report', 'domains_bulk', 'audit_domain']);

type Asked = Pick<Question, 'path' | 'deadlineMs'> & { body?: unknown };

async function inTime(service: TestService, question: Asked, what: string): Promise<Reply> {
  const started = performance.now();
  const reply = await put(service, question);
  const ms = Math.round(performance.now() - started);
  assert.ok(ms < question.deadlineMs + GRACE_MS, `${what}: ${question.path} took ${ms} ms`);
  assert.notEqual(reply.status, 500, `${what}: ${question.path}: ${reply.text}`);
  // The lab's own redirect to a file: where a target leads is its own word.
  const text = reply.text.replaceAll(/\/etc\/\w*/g, '');
  assert.deepEqual(leaksIn(text, true), [], `${what}: ${question.path}`);
  return reply;
}

/** What waits for its time-out ends in a tenth of it. */
const service = (timeScale = 0.1): Promise<TestService> => world.service(owner, { keys: KEYS, timeScale });
const all = (given: TestService, name: string, what = name): Promise<Reply[]> =>
  Promise.all(questionsAbout(name).map((question) => inTime(given, question, what)));

describe('an answer comes in its time', () => {
  test('whatever the DNS does', async () => {
    const given = await service();
    await Promise.all(DNS_TWINS.map(({ host }) => all(given, host)));
  });

  test('whatever the web server does, at every place where it is asked', async () => {
    const given = await service();
    const twins = EVIL_SITES.flatMap(({ host, pages }) =>
      Object.entries(pages).map(([path, page]) => [`${host}${path}`, handlerOf(page)] as const),
    );
    const names: [string, string][] = [];
    for (const [at, [what, evil]] of twins.entries()) {
      for (const place of ['/', '/robots.txt', '/llms.txt', '/.well-known/mta-sts.txt']) {
        const name = `${place === '/' ? 'page' : place.slice(1, 5).replaceAll(/\W/g, 'x')}${at}.lab`;
        const web: Handler = (request, response) => {
          if ((request.url ?? '/').split('?')[0] === place) return evil(request, response);
          if (request.url === '/robots.txt') return void response.end('');
          response.setHeader('content-type', 'text/html');
          response.end('<title>x</title>');
        };
        if (place.includes('mta-sts')) {
          world.add(name, { records: { MX: [{ preference: 1, exchange: 'mx1.mail.lab' }] } });
          world.add(`_mta-sts.${name}`, { records: { A: [], TXT: ['v=STSv1; id=1'] } });
          world.add(`mta-sts.${name}`, { web });
        } else world.add(name, { web });
        names.push([name, `${what} at ${place}`]);
      }
    }
    // The others look at a site by the same source as the scan does.
    const pages = new Set(['redirect_chain', 'robots_txt', 'email_security_posture', 'contrast_scan']);
    for (let at = 0; at < names.length; at += AT_ONCE) {
      await Promise.all(
        names.slice(at, at + AT_ONCE).flatMap(([name, what]) =>
          questionsAbout(name)
            .filter(({ operation }) => pages.has(operation))
            .map((question) => inTime(given, question, what)),
        ),
      );
    }
  });

  test('whatever stands on the port of TLS', async () => {
    const given = await service();
    const twins: Record<string, (socket: Socket) => void> = {
      silent: () => {},
      closing: (socket) => socket.end(),
      resetting: (socket) => socket.resetAndDestroy(),
      talking: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
      pouring: (socket) => pour(socket, Buffer.alloc(64 * 1024, 0x16)),
      // Records of handshake that never come to an end.
      endless: (socket) =>
        pour(
          socket,
          Buffer.concat(
            Array.from({ length: 64 }, () => Buffer.concat([Buffer.from([0x16, 3, 3, 4, 0]), Buffer.alloc(1024, 1)])),
          ),
        ),
      dripping: (socket) => {
        const timer = setInterval(() => socket.write(Buffer.from([0x16])), 200);
        socket.on('close', () => clearInterval(timer));
      },
    };
    await Promise.all(
      Object.entries(twins).map(async ([what, twin]) => {
        const name = `tls-${what}.lab`;
        await world.addRaw(name, (socket) => (socket.on('error', () => {}), twin(socket)));
        await all(given, name);
      }),
    );
  });

  test('whatever WHOIS servers do', async () => {
    const given = await service();
    const twins = WHOIS_PLANS.flatMap(({ host }) => /^([\w-]+)\.whois\.lab$/.exec(host)?.[1] ?? []);
    assert.ok(twins.length > 5);
    const whois = (name: string): Question[] =>
      questionsAbout(name).filter(({ operation }) => operation === 'whois_lookup' || operation === 'domain_report');
    await Promise.all(
      twins
        .flatMap((twin) => [`whois-${twin}.lab`, `any.lab-${twin}`])
        .flatMap((name) => whois(name).map((question) => inTime(given, question, name))),
    );
  });

  for (const mode of [
    'hang',
    'slow',
    'status',
    'garbage',
    'wrong-shape',
    'huge',
    'drip',
    'cut',
    'reset',
  ] as const satisfies readonly Mode[]) {
    test(`whatever upstreams do: ${mode}`, async () => {
      const given = await service();
      for (const id of world.lab.sourceUrls.keys()) if (id !== 'whois') world.lab.source(id).mode = mode;
      const deadlineMs = 20_000;
      await Promise.all([
        all(given, 'kept.lab', mode),
        ...[
          '/v1/ip/5.57.1.1',
          '/v1/threat-report/5.57.1.1',
          '/v1/asn/AS215000',
          '/v1/asn/5.57.1.1',
          `/v1/hash/${'a'.repeat(64)}`,
          `/v1/ioc/${'b'.repeat(32)}`,
          `/v1/password/${'c'.repeat(40)}`,
          '/v1/exploit/CVE-2021-44228',
        ].map((path) => inTime(given, { path, deadlineMs }, mode)),
      ]);
      for (const id of world.lab.sourceUrls.keys()) if (id !== 'whois') world.lab.source(id).mode = 'ok';
    });
  }
});

describe('while others hang', () => {
  test('two hundred questions at once, most about targets that never answer, keep nobody waiting', async () => {
    // Those that are answered have time for it on a busy machine, too.
    const given = await service(4);
    for (let at = 0; at < 12; at++) await world.addRaw(`hanging${at}.lab`, (socket) => socket.on('error', () => {}));
    for (const id of ['crtsh', 'wayback']) world.lab.source(id).mode = 'hang';
    const hanging = [
      ...Array.from({ length: 12 }, (_, at) => questionsAbout(`hanging${at}.lab`)),
      ...Array.from({ length: 3 }, (_, at) => questionsAbout(`n${at}.silent.dns.lab`)),
    ]
      .flat()
      // Hundreds of names at once are work, not waiting.
      .filter(({ operation }) => !SWEEPS.has(operation));
    assert.ok(hanging.length >= 200, String(hanging.length));
    let ended = false;
    const isHanging = (): boolean => !ended;
    const under = Promise.all(hanging.map((question) => inTime(given, question, 'hanging'))).finally(() => {
      ended = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const path of [
      '/v1/cve/CVE-2021-44228',
      '/healthz',
      '/v1/status',
      '/v1/dns/www.kept.lab',
      '/v1/ssl/www.kept.lab',
      '/v1/seo/www.kept.lab',
      '/v1/email/mx/poor.lab',
      '/v1/robots/poor.lab',
      '/v1/redirect/https://redirect.lab/chain',
      '/v1/ip/5.57.9.9',
    ]) {
      let reply = await given.get(path);
      // On a busy machine the lab itself may answer late.
      while (reply.status !== 200 && isHanging()) reply = await given.get(path);
      assert.equal(reply.status, 200, `${path}: ${reply.text}`);
      assert.ok(isHanging(), `${path} waited for those that hang`);
    }
    await under;
    for (const id of ['crtsh', 'wayback']) world.lab.source(id).mode = 'ok';
    // And nothing is left of it: what hung does not stand in the way of the next.
    for (const path of ['/v1/seo/kept.lab', '/v1/dns/kept.lab', '/v1/certs/kept.lab'])
      assert.equal((await given.get(path)).status, 200, path);
  });
});

function pour(socket: Socket, block: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

function handlerOf(page: Page | Handler): Handler {
  if (typeof page === 'function') return page;
  const { status = 200, headers = {}, body = '' } = page;
  return (_request, response) => void response.writeHead(status, { ...headers }).end(body);
}
