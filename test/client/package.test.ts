import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { CHECKOUT } from '../support/build-once.ts';
import { CLIENT_FOLDER } from '../support/built-client.ts';
import { startService } from '../support/service.ts';

/** The client as npm packs it, installed into a folder that has nothing else, and in a browser. */

const PATIENCE_MS = 300_000;
const run = promisify(execFile);
/** No registry is asked. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|SEXTANT_|NODE_)/i.test(name))),
  npm_config_cache: temporaryFolder(),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};
const README = readFileSync(join(CLIENT_FOLDER, 'README.md'), 'utf8');
const EXAMPLES = [...README.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);

const service = await startService({ after });
const address = await service.listen();
const folder = temporaryFolder();

async function pack(from: string): Promise<{ file: string; paths: string[] }> {
  const target = temporaryFolder();
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: from,
    env: environment,
    timeout: PATIENCE_MS,
  });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { file: join(target, filename), paths: files.map(({ path }) => path).toSorted() };
}
const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

before(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const { file } = await pack(CLIENT_FOLDER);
  await run('npm', ['install', file], { cwd: folder, env: environment, timeout: PATIENCE_MS });
});

describe('the package', () => {
  test('has the module, its types, README and licence, and needs no other', async () => {
    const { paths } = await pack(CLIENT_FOLDER);
    assert.deepEqual(
      paths.filter((path) => !path.startsWith('types/')),
      ['LICENSE', 'README.md', 'index.js', 'package.json'],
    );
    assert.ok(paths.includes('types/index.d.ts'));
    const manifest = JSON.parse(readFileSync(join(CLIENT_FOLDER, 'package.json'), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(
      Object.keys(manifest).filter((name) => /dependencies|scripts|bin/i.test(name)),
      [],
    );
    assert.doesNotMatch(
      readFileSync(join(CLIENT_FOLDER, 'index.js'), 'utf8'),
      /\bfrom ["']|\bimport\(|\brequire\(|node:/,
    );
    assert.ok(README.split('\n').length <= 61, 'the README has at most 60 lines');
  });

  test('is the same to the byte when it is made again', async () => {
    const again = join(temporaryFolder(), 'again');
    await run(process.execPath, [join(CHECKOUT, 'scripts/client.ts'), '--out', again], { timeout: PATIENCE_MS });
    assert.equal(sha256((await pack(again)).file), sha256((await pack(CLIENT_FOLDER)).file));
  });
});

/** The Node that runs the tests, and another one on the path. */
const nodes = new Set([process.execPath, ...otherNodes()]);

function otherNodes(): string[] {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((one) => join(one, 'node'));
  return found.filter((node) => existsSync(node) && !node.includes('node_modules'));
}

for (const node of nodes) {
  test(`the examples of the README run on ${node}`, async (t) => {
    const { stdout: version } = await run(node, ['--version']);
    if (Number(/^v(\d+)/.exec(version)?.[1]) < 20) return t.skip(`${version.trim()} is older than Node 20`);
    assert.equal(EXAMPLES.length, 4);
    const module = EXAMPLES.join('\n').replaceAll('http://127.0.0.1:8080', address);
    const file = join(folder, 'examples.js');
    writeFileSync(file, module);
    const { stdout, stderr } = await run(node, [file], { cwd: folder, env: environment, timeout: PATIENCE_MS });
    assert.equal(stderr, '');
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0]!, /^CRITICAL true (complete|partial)$/);
    assert.ok(lines.includes(IDS.log4shell), 'rows');
    assert.ok(
      lines.some((line) => /^no source knows it [\w-]{36}$/.test(line)),
      'the error',
    );
    assert.equal(lines.at(-1), 'epss_lookup 1 no limit');
  });
}

test('the examples of the README compile', async () => {
  writeFileSync(join(folder, 'examples.ts'), EXAMPLES.join('\n'));
  const compilerOptions = { target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom'], types: [], strict: true };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files: ['examples.ts'] }),
  );
  await run(process.execPath, [join(CHECKOUT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
});

describe('in a browser, from a page of another origin', { skip: chromiumPath === null && 'no chromium' }, () => {
  const PAGE = `<!doctype html><title>page</title><script type="module">
import * as client from '/index.js';
globalThis.client = client;
</script>`;

  test('it asks a service that lists the origin; one that does not is a ConnectionError', async (t) => {
    const pages = createServer((request, response) => {
      const isModule = request.url === '/index.js';
      response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html');
      response.end(isModule ? readFileSync(join(CLIENT_FOLDER, 'index.js')) : PAGE);
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    t.after(() => pages.close());
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const quota = { keyless: 5 };
    const origins = { host: '127.0.0.1', allowedOrigins: [origin] };
    const open = await (await startService(t, { origins, quota })).listen();
    const keyed = await startService(t, { origins });
    const closed = await (await startService(t, { origins: { host: '127.0.0.1' } })).listen();
    const browser = await openBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage();
    await page.goto(origin);
    await page.waitForFunction('globalThis.client !== undefined');
    const ask = (baseUrl: string): Promise<Record<string, unknown>> =>
      page.evaluate(`(async () => {
        const infos = [];
        const client = new globalThis.client.SextantClient({ baseUrl: '${baseUrl}', maxRetries: 0, onResponse: (info) => infos.push(info) });
        const { cve_id } = await client.cveLookup({ cve_id: 'CVE-2021-44228' });
        const { status } = await client.call('check_secrets', { code: 'x' }).then(() => ({ status: 200 }));
        const missing = await client.cveLookup({ cve_id: '${IDS.unknown}' }).catch((error) => error);
        const used = await client.bulkCveLookup({ cve_ids: ['CVE-2021-44228', 'CVE-2014-0160', 'CVE-2017-0144'] })
          .then(() => client.status()).then(() => client.cveLookup({ cve_id: 'CVE-2014-0160' })).then(() => null, (error) => error);
        return {
          cve_id, status, code: missing.code, requestId: typeof missing.requestId,
          remaining: infos[0].quota?.remaining, used: used?.code, wait: used?.retryAfterSeconds > 0,
        };
      })().catch((error) => ({ failed: error.name }))`);
    assert.deepEqual(await ask(open), {
      cve_id: 'CVE-2021-44228',
      status: 200,
      code: 'not_found',
      requestId: 'string',
      remaining: 4,
      used: 'rate_limit_exceeded',
      wait: true,
    });
    const { authorization = '' } = await keyed.proHeaders();
    assert.equal(
      await page.evaluate(`new globalThis.client.SextantClient({
        baseUrl: '${await keyed.listen()}', apiKey: '${authorization.replace('Bearer ', '')}',
      }).usage().then(({ total_requests }) => total_requests)`),
      0,
      'with a key, which a browser asks leave to send',
    );
    assert.deepEqual(await ask(closed), { failed: 'ConnectionError' });
  });
});
