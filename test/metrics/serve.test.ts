import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { freePort } from '../support/engines.ts';
import { clientFrom, type ServeProcess, startServe } from '../support/serve-process.ts';
import { githubServer } from '../sources/live-servers.ts';

const ADDRESS = '127.71.0.9';
const client = clientFrom(ADDRESS);
after(() => client.close());

test('/metrics is not there unless it is asked for', async (t) => {
  const service = await startServe();
  t.after(() => service.stop());
  assert.equal((await client.get(`${service.base}/metrics`, { authorization: 'Bearer x' })).status, 404);
});

test('an address of its own needs no token, and the service itself does not answer', async (t) => {
  const port = await freePort();
  const service = await startServe({ SEXTANT_METRICS_LISTEN: `127.0.0.1:${port}` });
  t.after(() => service.stop());
  assert.equal((await client.get(`${service.base}/metrics`)).status, 404);
  const there = await client.get(`http://127.0.0.1:${port}/metrics`);
  assert.equal(there.status, 200);
  assert.match(there.text, /^sextant_build_info\{version="[\d.]+"\} 1$/m);
  assert.equal((await client.get(`http://127.0.0.1:${port}/v1/status`)).status, 404);
});

describe('with a token', () => {
  let service: ServeProcess;
  const ends: (() => void | Promise<void>)[] = [];
  before(async () => {
    const github = await githubServer({ after: (end: () => void) => void ends.push(end) } as unknown as TestContext);
    service = await startServe({
      SEXTANT_METRICS_TOKEN: TOKEN,
      SEXTANT_QUOTA_KEYLESS: '8',
      SEXTANT_SOURCE_GITHUB_URL: github.url,
    });
    const ask = async (times: number, path: string): Promise<void> => {
      for (let asked = 0; asked < times; asked++) await client.get(service.base + path);
    };
    // The second answer is given again; the live source is asked once; the last two are over the quota.
    await ask(2, '/v1/cve/CVE-2014-0160');
    await ask(2, '/v1/exploit/CVE-2021-44228');
    await ask(1, '/v1/cve/CVE-2031-47291');
    await ask(1, '/nowhere');
    await ask(5, '/v1/cve/CVE-2014-0160');
  });
  after(async () => {
    await service.stop();
    for (const end of ends) await end();
  });
  const TOKEN = 'a-token-of-the-operator';
  const look = (authorization: string) => client.get(`${service.base}/metrics`, { authorization });
  /** The value of one series, by its name and labels as they stand in the text. */
  const value = async (series: string): Promise<number | undefined> => {
    const { text } = await look(`Bearer ${TOKEN}`);
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };

  test('only who knows it may read', async () => {
    const none = await client.get(`${service.base}/metrics`);
    assert.deepEqual([none.status, none.headers['www-authenticate']], [401, 'Bearer']);
    assert.equal(JSON.parse(none.text).error.code, 'api_key_required');
    for (const wrong of ['Bearer wrong', `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`, 'Bearer', '']) {
      assert.equal((await look(wrong)).status, 401, wrong);
    }
    const right = await look(`Bearer ${TOKEN}`);
    assert.equal(right.status, 200);
    assert.equal(right.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  });

  test('requests by operation and status, with their time', async () => {
    assert.equal(await value('sextant_requests_total{operation="cve_lookup",status="200"}'), 5);
    assert.equal(await value('sextant_requests_total{operation="cve_lookup",status="404"}'), 1);
    assert.equal(await value('sextant_requests_total{operation="cve_lookup",status="429"}'), 2);
    assert.equal(await value('sextant_request_duration_seconds_count{operation="cve_lookup"}'), 8);
    assert.ok((await value('sextant_requests_total{operation="other",status="404"}'))! >= 1);
  });

  test('refusals of the quota, cache hits, sources, feeds, event loop, process', async () => {
    assert.equal(await value('sextant_quota_refusals_total{tier="keyless"}'), 2);
    assert.equal(await value('sextant_quota_refusals_total{tier="pro"}'), 0);
    assert.equal(await value('sextant_rendered_answers_total{outcome="hit"}'), 4);
    assert.equal(await value('sextant_source_calls_total{source="github",outcome="ok"}'), 1);
    assert.equal(await value('sextant_source_cache_hits_total{source="github"}'), 1);
    assert.equal(await value('sextant_source_call_duration_seconds_count{source="github"}'), 1);
    assert.equal(await value('sextant_source_calls_total{source="shodan_cvedb",outcome="failed"}'), 2);
    assert.ok((await value('sextant_feed_records{source="starter"}'))! > 100);
    assert.ok((await value('sextant_feed_age_seconds{source="starter"}'))! > 0);
    assert.equal(await value('sextant_engines_away'), 0);
    assert.ok((await value('nodejs_eventloop_lag_p99_seconds'))! > 0);
    assert.ok((await value('process_resident_memory_bytes'))! > 1e7);
  });

  test('the text is of the format, and says neither who asked nor what about', async () => {
    const { text } = await look(`Bearer ${TOKEN}`);
    // Readers take NaN in any case of letters, as strconv.ParseFloat does; the library writes Nan.
    const sample =
      /^[a-zA-Z_:][\w:]*(\{[a-z_]\w*="[^"\n]*"(,[a-z_]\w*="[^"\n]*")*\})? (-?\d[\d.e+-]*|NaN|Nan|[+-]Inf)$/;
    for (const line of text.split('\n')) {
      if (line !== '' && !line.startsWith('# ')) assert.match(line, sample);
    }
    assert.equal(text.includes('CVE-'), false);
    assert.equal(text.includes(ADDRESS), false);
    assert.equal(text.includes('nowhere'), false);
  });
});
