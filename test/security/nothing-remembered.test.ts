import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { startService } from '../../src/server/service.ts';
import { readConfig } from '../../src/config.ts';
import { catalogFolderOf, CONFIGURABLE_SOURCE_IDS } from '../../src/server/runner-deps.ts';
import { freePort, NO_REDIS, startRedis } from '../support/engines.ts';
import { questionsAbout } from './endpoints.ts';
import { type HostileWorld, openHostileWorld } from './hostile.ts';

/** The whole service as it is served, asked everything about targets that can be told again; then a look at every byte that it left. */

const TARGETS = ['zyxelquux.lab', 'nowherequux.lab', 'privatequux.lab'];
const ADDRESSES = ['5.88.77.66', '2a00:5788:77::66'];
const CALLERS = ['203.0.113.77', '2001:db8:77:99:a:b:c:d'];
const HASH = createHash('sha256').update('quux').digest('hex');
const PASSWORD = createHash('sha1').update('quuxword').digest('hex');
const SAID = [
  'quuxname',
  '+4915207777777',
  'quuxpath',
  'ghp_quuxquuxquuxquuxquuxquuxquuxquux1234',
  'quux-package',
  'probe-agent/7.7',
];
const KEYS = ['k1-abusech', 'k2-abuseipdb', 'k3-shodan', 'k4-github'];
const FORMS = [
  ...TARGETS,
  ...ADDRESSES,
  ...CALLERS,
  HASH,
  PASSWORD,
  ...SAID,
  'quux',
  '5788:77',
  '2001:db8:77:99',
  ...KEYS,
]
  .flatMap((text) => [
    text,
    createHash('sha256').update(text).digest('hex'),
    Buffer.from(text).toString('hex'),
    // Whatever stands before it.
    ...[0, 1, 2].map((shift) =>
      Buffer.from(`${'x'.repeat(shift)}${text}`)
        .toString('base64')
        .replaceAll('=', '')
        .slice(shift === 0 ? 0 : 4, -2),
    ),
  ])
  .filter((form) => form.length > 4 || form === 'quux');

let world: HostileWorld;
before(async () => {
  world = await openHostileWorld();
  for (const [name, address] of [
    [TARGETS[0]!, ADDRESSES[0]!],
    [TARGETS[2]!, '10.9.8.7'],
  ] as const)
    world.add(name, {
      records: {
        ...(address.startsWith('10.') ? { A: [address] } : {}),
        TXT: ['v=spf1 include:includedquux.lab -all'],
        MX: [{ preference: 1, exchange: 'mx.zyxelquux.lab' }],
      },
      web: (_request, response) => void response.setHeader('content-type', 'text/html').end('<title>quux</title>'),
    });
});
after(() => world.close());

async function run(t: { after(end: () => void | Promise<void>): void }, settings: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sextant-probe-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const lines: string[] = [];
  const port = await freePort();
  const sources = [...world.lab.sourceUrls].filter(([id]) => CONFIGURABLE_SOURCE_IDS.includes(id));
  const config = readConfig(CONFIGURABLE_SOURCE_IDS, {
    SEXTANT_DATA_DIR: dataDir,
    SEXTANT_PORT: String(port),
    SEXTANT_SYNC: 'off',
    SEXTANT_QUOTA_KEYLESS: '100000',
    SEXTANT_TRUSTED_PROXIES: '127.0.0.1',
    SEXTANT_METRICS_TOKEN: 'metrics-token-of-this-test',
    SEXTANT_ABUSECH_KEY: KEYS[0]!,
    SEXTANT_ABUSEIPDB_KEY: KEYS[1]!,
    SEXTANT_SHODAN_KEY: KEYS[2]!,
    SEXTANT_GITHUB_TOKEN: KEYS[3]!,
    ...Object.fromEntries(sources.map(([id, url]) => [`SEXTANT_SOURCE_${id.toUpperCase()}_URL`, url])),
    ...settings,
  });
  await recoverOrCreateCatalog(catalogFolderOf(config), new Date());
  const sink = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  const service = await startService(config, { logger: pino({ level: 'trace' }, sink), net: world.net });
  const base = `http://127.0.0.1:${port}`;
  let statuses = new Map<number, number>();
  const ask = async (path: string, body?: unknown, more: Record<string, string> = {}): Promise<void> => {
    for (const caller of CALLERS) {
      const headers = {
        'x-forwarded-for': caller,
        'user-agent': SAID.at(-1)!,
        'content-type': 'application/json',
        ...more,
      };
      const reply = await fetch(base + path, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      statuses = new Map([...statuses, [reply.status, (statuses.get(reply.status) ?? 0) + 1]]);
      for (const key of KEYS) assert.ok(!text.includes(key), path);
    }
  };
  for (const target of TARGETS) {
    for (const { path, body, operation, input } of questionsAbout(target)) {
      await ask(path, body);
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: operation, arguments: input } };
      await ask('/mcp', call, { accept: 'application/json, text/event-stream' });
    }
    await ask(`/v1/redirect/https://${target}/quuxpath?token=quux`);
    await ask(`/v1/phishing/https://${target}/quuxpath`);
  }
  for (const address of ADDRESSES)
    for (const kind of ['ip', 'threat-report', 'asn', 'ioc']) await ask(`/v1/${kind}/${address}`);
  for (const path of [
    `hash/${HASH}`,
    `password/${PASSWORD}`,
    `username/${SAID[0]}`,
    `phone/${encodeURIComponent(SAID[1]!)}`,
    'ssl/quux',
    'usage',
    'privacy/my-data',
    'quux',
  ])
    await ask(`/v1/${path}`);
  await ask('/v1/check/secrets', { code: `token = "${SAID[3]}"` });
  await ask('/v1/check/injection', { code: 'eval("quux" + request.query.quux)', language: 'javascript' });
  await ask('/v1/check/headers', { headers: { 'x-quux': 'quux' } });
  await ask('/v1/check/dependencies', { packages: [{ name: SAID[4], version: '1.0.0', ecosystem: 'npm' }] });
  const metrics = await (
    await fetch(`${base}/metrics`, { headers: { authorization: 'Bearer metrics-token-of-this-test' } })
  ).text();
  assert.match(metrics, /sextant/);
  const places = (): (readonly [string, string])[] => [
    ...readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.sqlite'))
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')] as const),
    ['the log', lines.join('\n')],
    ['the metrics', metrics],
  ];
  // While it runs, and once everything that waited in memory was written.
  const found = tracesIn(places());
  await service.stop();
  assert.deepEqual([...found, ...tracesIn(places())], []);
  assert.ok((statuses.get(200) ?? 0) > 50, JSON.stringify([...statuses]));
  assert.ok(
    !statuses.has(500),
    lines
      .filter((line) => line.includes('"level":50'))
      .join('\n')
      .slice(0, 3000),
  );
}

function tracesIn(places: readonly (readonly [string, string])[]): string[] {
  return places.flatMap(([place, text]) => {
    const lower = text.toLowerCase();
    return FORMS.filter((form) => lower.includes(form.toLowerCase())).map((form) => {
      const at = lower.indexOf(form.toLowerCase());
      return `${form} in ${place}: ${JSON.stringify(text.slice(Math.max(0, at - 200), at + 100))}`;
    });
  });
}

describe('after all operations were asked about targets that can be told again', () => {
  test('nothing of them, of who asked or of a secret is in log, metrics or data folder', (t) => run(t, {}));

  test('nor is anything said of them to Redis', { skip: NO_REDIS }, async (t) => {
    const redis = await startRedis(t);
    let heard = '';
    const monitor = connect(redis.port, '127.0.0.1', () => monitor.write('MONITOR\r\n'));
    monitor.on('data', (bytes) => (heard += bytes.toString('latin1')));
    await run(t, { SEXTANT_REDIS_URL: redis.url });
    monitor.destroy();
    // Monitoring escapes what is not printable; nothing that is looked for is that.
    assert.ok(/"set"|"SET"/i.test(heard) && heard.length > 50_000, `only ${heard.length} bytes were heard`);
    // Four letters stand by chance in what is sealed.
    assert.deepEqual(
      tracesIn([['what Redis was told', heard]]).filter((trace) => !trace.startsWith('quux in')),
      [],
    );
  });
});
