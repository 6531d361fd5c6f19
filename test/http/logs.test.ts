import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IDS } from '../operations/fixture-facts.ts';
import { githubServer } from '../sources/live-servers.ts';
import { startService } from '../support/service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** Words that appear in no line of the log unless a request put them there. */
const TELLTALES = [
  '44228',
  '99999',
  'zanzibar',
  'quokka',
  'vector',
  'AV:N',
  '127.0.0.1',
  '203.0.113',
  '::1',
  'sxt_',
  'curl-secret',
];
const HEADERS = {
  'user-agent': 'curl-secret/1',
  'x-forwarded-for': '203.0.113.7',
  authorization: 'Bearer sxt_0123',
  referer: 'https://zanzibar.example',
};

const requests: [method: string, path: string, body?: string][] = [
  ['GET', `/v1/cve/${IDS.log4shell}`],
  ['GET', `/v1/cve/${IDS.log4shell}?include_full_references=true`],
  ['GET', `/v1/cve/${IDS.unknown}`],
  ['GET', `/v1/exploit/${IDS.log4shell}`],
  ['GET', '/v1/cves?product=zanzibar&vendor=quokka'],
  ['GET', '/v1/cves?zanzibar=quokka'],
  ['GET', '/v1/cves?product=zanzibar&limit=0'],
  ['GET', `/v1/cvss/details?vector=${encodeURIComponent('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')}`],
  ['GET', '/v1/cve/zanzibar'],
  ['GET', '/v1/cve/zanzibar%2Fquokka'],
  ['GET', '/v1/cve/zanzibar%'],
  ['GET', '/v1/zanzibar/quokka?x=44228'],
  ['DELETE', '/v1/cve/zanzibar'],
  ['POST', '/v1/cves/bulk', JSON.stringify({ cve_ids: [IDS.log4shell, 'zanzibar', IDS.unknown] })],
  ['POST', '/v1/cves/bulk', '{"zanzibar": "quokka'],
  ['HEAD', '/v1/cve/zanzibar'],
];

describe('the log', () => {
  test('has one line for each request, and in no line what was asked or who asked', async (t) => {
    const { send, logLines } = await startService(t);
    for (const [method, path, body] of requests)
      await send(method, path, body, body === undefined ? HEADERS : { ...HEADERS, ...JSON_TYPE });
    const lines = logLines();
    for (const line of lines) {
      for (const word of TELLTALES) assert.ok(!line.includes(word), `"${word}" in ${line}`);
      const entry = JSON.parse(line) as Record<string, unknown>;
      for (const name of ['req', 'res', 'url', 'remoteAddress', 'hostname']) {
        assert.ok(name === 'hostname' || !(name in entry), `${name} in ${line}`);
      }
    }
    const answered = lines.filter((line) => 'status' in (JSON.parse(line) as object));
    assert.equal(answered.length, requests.length);
  });

  test('a line has the request id, the method, the template of the route, the status and the time', async (t) => {
    const { get, logLines } = await startService(t);
    await get(`/v1/cve/${IDS.log4shell}`, { 'x-request-id': 'line-1' });
    const line = JSON.parse(logLines().at(-1)!) as Record<string, unknown>;
    assert.deepEqual(
      [line['request_id'], line['method'], line['route'], line['status']],
      ['line-1', 'GET', '/v1/cve/:cve_id', 200],
    );
    assert.equal(typeof line['ms'], 'number');
  });

  test('a source that fails leaves neither the id nor its address in it', async (t) => {
    const github = await githubServer(t, 'status_500');
    const { get, logLines } = await startService(t, { sources: { github: github.url } });
    await get(`/v1/exploit/${IDS.log4shell}`);
    for (const line of logLines()) assert.ok(!line.includes('44228') && !line.includes(new URL(github.url).host), line);
  });

  test('a fault of ours is there with its stack and the request id, but not what was asked', async (t) => {
    const { get, logLines, breakCatalog } = await startService(t);
    breakCatalog();
    const { status, headers } = await get(`/v1/kev/${IDS.log4shell}`);
    assert.equal(status, 500);
    const faults = logLines().filter((line) => line.includes('"stack"'));
    assert.equal(faults.length, 1);
    assert.ok(faults[0]!.includes(String(headers['x-request-id'])));
    for (const line of logLines()) assert.ok(!line.includes('44228'), line);
  });

  test('a fault of ours in one item of a bulk call is there too', async (t) => {
    const { post, logLines, breakCatalog } = await startService(t);
    breakCatalog();
    const { status } = await post('/v1/cves/bulk', { cve_ids: [IDS.log4shell] });
    assert.ok([200, 500].includes(status));
    assert.ok(
      logLines().some((line) => line.includes('"stack"')),
      'the answer says that the log has it',
    );
  });
});
