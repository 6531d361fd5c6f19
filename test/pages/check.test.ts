import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { packageGaps } from '../../src/pages/check/package-gaps.ts';
import { PACKAGE_LINKS } from '../../src/pages/check/package-links.ts';
import type { DependencyAnswer } from '../../src/pages/check/text-result.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { askAgain } from '../support/ask-again.ts';
import { startService, type Reply } from '../support/service.ts';

const service = await startService({ after });

const LOCKFILE = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { lodash: '4.17.20', 'two-branches': '1.1.0' } },
    'node_modules/lodash': { version: '4.17.20' },
    'node_modules/two-branches': {
      version: '1.1.0',
      dependencies: { 'evil-left-pad': '1.0.0', 'nobody-knows': '1.0.0' },
    },
    'node_modules/evil-left-pad': { version: '1.0.0' },
    'node_modules/nobody-knows': { version: '1.0.0' },
    'node_modules/<img src=x onerror=alert(1)>': { version: 'latest' },
  },
});
/** Of the form of Slack's, and nobody's. */
const SECRET = ['xoxb', '123456789012', '123456789013', 'AbCdEfGhIjKlMnOpQrStUvWx'].join('-');
const CODE = [
  'from flask import request',
  `SLACK = "${SECRET}"  # <script>alert(1)</script>`,
  'def user(db):',
  '    name = request.args["name"]',
  '    return db.execute(f"SELECT * FROM users WHERE name = \'{name}\'")',
  '',
].join('\n');

/** Sends the form as a browser does; a file is `[name, text]`. */
async function submit(
  fields: Record<string, string | [name: string, text: string | Uint8Array<ArrayBuffer>]>,
): Promise<Reply> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(field, value);
    else form.append(field, new File([value[1]], value[0]));
  }
  const request = new Response(form);
  const type = request.headers.get('content-type')!;
  const body = Buffer.from(await request.arrayBuffer());
  const send = (): Promise<Reply> => askAgain(() => service.send('POST', '/check', body, { 'content-type': type }));
  let reply = await send();
  // On a busy machine one of two checks may be late: the page then says so.
  for (let attempt = 1; attempt < 5 && /<h1>[^<]*not known<\/h1>/.test(reply.text); attempt++) reply = await send();
  return reply;
}

const headingOf = ({ text }: Reply): string => /<h1>(.*?)<\/h1>/s.exec(text)![1]!;
const hiddenField = ({ text }: Reply): string => /name="packed" value="([\w-]+)"/.exec(text)![1]!;

describe('a lockfile', () => {
  test('is recognised without its name; the heading says which upgrades mend what, the table who brings it', async () => {
    const reply = await submit({ text: LOCKFILE });
    assert.equal(reply.status, 200);
    assert.equal(headingOf(reply), 'Remove 1 malicious package first, then 2 upgrades: mends 3 of 3 known flaws');
    assert.match(reply.text, /read as package-lock\.json/);
    assert.match(reply.text, /lodash<\/span> 4\.17\.20 → <strong>4\.17\.22<\/strong>/);
    assert.match(
      reply.text,
      /<ol><li><strong>Remove<\/strong> <span class="id">evil-left-pad<\/span> 1\.0\.0 [\s\S]{0,60}treat machines that ran it as compromised/,
      'what is malicious is the first step',
    );
    assert.match(reply.text, /evil-left-pad<\/a> 1\.0\.0[\s\S]{0,900}<td>two-branches &gt; evil-left-pad<\/td><\/tr>/);
    assert.match(reply.text, /href="\/cve\/CVE-2024-90011\?purl=pkg%3Anpm%2Flodash%404\.17\.20"/);
    assert.match(reply.text, /href="\/check\?purl=pkg%3Anpm%2Flodash%404\.17\.20">lodash/);
    assert.ok(!reply.text.includes('href="/search?product='), 'the version would be lost');
  });

  test('what was not checked and what no source names is said, and is not called safe', async () => {
    const { text } = await submit({ text: LOCKFILE });
    assert.match(text, /1 package could not be checked/);
    assert.match(text, /1 package that no source names[\s\S]*not the same as safe[\s\S]*nobody-knows 1\.0\.0/);
  });

  test('foreign text does not become markup, and nothing is kept', async () => {
    const reply = await submit({ text: LOCKFILE });
    assert.ok(!reply.text.includes('<img'));
    // The browser keeps it for Back, nobody else does.
    assert.equal(reply.headers['cache-control'], 'private, no-cache');
    assert.ok(!service.logLines().some((line) => line.includes('lodash')));
  });

  test('is saved as SARIF, CSV, OpenVEX and CycloneDX, from what the page itself carries', async () => {
    const packed = hiddenField(await submit({ file: ['package-lock.json', LOCKFILE] }));
    const sarif = await submit({ packed, format: 'sarif' });
    assert.match(String(sarif.headers['content-disposition']), /^attachment; filename="sextant-check\.sarif"$/);
    const [run] = sarif.body.runs;
    assert.ok(run.results.some(({ ruleId }: { ruleId: string }) => ruleId === 'CVE-2024-90011'));
    assert.equal(run.results[0].locations[0].physicalLocation.artifactLocation.uri, 'package-lock.json');
    const csv = (await submit({ packed, format: 'csv' })).text.split('\r\n');
    assert.match(csv[0]!, /^check,id,severity/);
    assert.ok(
      csv.some((line) => line.includes('not checked')),
      'what was not checked is a row',
    );
    const { statements } = (await submit({ packed, format: 'openvex' })).body;
    const known = statements.find(
      (one: { vulnerability: { name: string } }) => one.vulnerability.name === 'CVE-2024-90011',
    );
    assert.deepEqual(known.products, [{ '@id': 'pkg:npm/lodash@4.17.20' }]);
    assert.equal(known.status, 'affected');
    assert.match(known.action_statement, /4\.17\.22/);
    const { specVersion, vulnerabilities } = (await submit({ packed, format: 'cyclonedx' })).body;
    assert.equal(specVersion, '1.6');
    assert.ok(vulnerabilities.every((one: { affects: { ref: string }[] }) => one.affects[0]!.ref.startsWith('pkg:')));
  });

  test('is saved as Markdown to send: the day of the data and what to do come before the flaws, foreign text is text', async () => {
    const packed = hiddenField(await submit({ text: LOCKFILE }));
    const { headers, text } = await submit({ packed, format: 'markdown' });
    assert.match(String(headers['content-type']), /^text\/markdown/);
    assert.match(String(headers['content-disposition']), /sextant-check\.md/);
    const parts = ['in the advisories', '### Removals and upgrades', '### Limits', '### Findings'].map((part) =>
      text.indexOf(part),
    );
    assert.ok(
      parts.every((at, index) => at > (parts[index - 1] ?? 0)),
      text,
    );
    assert.ok(text.slice(0, parts[3]).split('\n').length <= 40);
    assert.match(text, /^- lodash 4\\\.17\\\.20|^- lodash 4\.17\.20 to \*\*4\.17\.22\*\*/m);
    assert.ok(!text.includes('<img'));
  });

  test('packages without a finding are rows of the CSV file and a folded list: nothing known of them, or no known flaw', async () => {
    const reply = await submit({ text: 'pkg:npm/lodash@4.17.22\npkg:npm/nobody-knows@1.0.0' });
    assert.match(
      headingOf(reply),
      /^No known flaw .*; 1 of the packages checked is named by no source, so nothing is known of it$/,
    );
    assert.match(reply.text, /1 package in whose version no flaw is known[\s\S]*lodash 4\.17\.22/);
    const csv = (await submit({ packed: hiddenField(reply), format: 'csv' })).text;
    assert.match(csv, /nothing known,UNKNOWN.*nobody-knows,1\.0\.0/);
    assert.match(csv, /no known flaw,,.*lodash,4\.17\.22/);
  });

  test('a package that no source names is never headlined as without a known flaw', async () => {
    const reply = await submit({ text: 'pkg:npm/nobody-knows@1.0.0' });
    assert.match(headingOf(reply), /^Not known: no source that is loaded names this package/);
  });

  test('pasted text that does not say which versions are installed is told apart, and what to give is named', async () => {
    const line = `github.com/gin-gonic/gin v1.7.0 h1:${'a'.repeat(43)}=\n`;
    const reply = await submit({ text: line });
    assert.match(reply.text, /does not say which versions are installed\. Give go\.mod/);
  });

  test('without a known flaw the heading names the day of the data and what is loaded', async () => {
    const heading = headingOf(await submit({ text: 'pkg:npm/lodash@4.17.22\npkg:npm/two-branches@9.0.0' }));
    assert.match(
      heading,
      /^No known flaw was found in the 2 packages checked, in the advisories of .*\d{4}-\d\d-\d\d.* for npm/,
    );
  });

  test('of 2,000 packages: the page stays below 200 KB and says what it leaves out', async () => {
    const packages = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [
        `node_modules/a${at}/node_modules/lodash`,
        { version: `4.${at % 17}.${at}` },
      ]),
    );
    const { status, text } = await submit({ text: JSON.stringify({ lockfileVersion: 3, packages }) });
    assert.equal(status, 200);
    assert.ok(text.length < 200 * 1024, `${text.length}`);
    assert.match(text, /The 100 riskiest of 2000 are shown\. 1900 more are in <a href="#save">/);
  });
});

describe('what is possible', () => {
  test('stands in a table of its own, with what says so, and leads to the CVE with the version', () => {
    const row = {
      package: 'protobuf<b>',
      version: '4.25.5',
      ecosystem: 'PyPI',
      cve_id: 'CVE-2025-4565',
      status: 'affected' as const,
      basis: 'by CPE name: cpe:2.3:a:google:protobuf-python:*:*:*:*:*:*:*:* before 4.25.8',
      reason: '4.25.5 is affected: before 4.25.8',
      fixed_in: '4.25.8',
      severity: 'HIGH' as const,
      in_kev: false,
      epss_score: 0.1,
    };
    const none = { unchecked: [], unnamed: [], undecided: [], denied: [], unsupported: [], not_reached: [] };
    const totals = { unnamed_total: 0, undecided_total: 0, denied_total: 0, packages_given: 1, next_offset: null };
    const answer = { ...none, ...totals, possible: [row], possible_total: 60, skipped_due_to_rate_limit: [] };
    const text = String(packageGaps(answer as unknown as DependencyAnswer, 'r1', PACKAGE_LINKS));
    assert.match(text, /<section id="r1-possible"><h2>60 CVEs that may affect this package<\/h2>/);
    assert.match(text, /href="\/cve\/CVE-2025-4565\?purl=pkg%3Apypi%2Fprotobuf/);
    assert.match(text, /<small>by CPE name: cpe:2\.3:a:google:protobuf-python/);
    assert.match(text, /And 59 more/);
    assert.ok(!text.includes('<b>'));
  });
});

describe('code', () => {
  test('findings are marked at their lines; a secret is masked wherever it is', async () => {
    const reply = await submit({ file: ['app.py', CODE] });
    assert.equal(headingOf(reply), 'Read as code (python): 1 secret found, 1 injection found in it');
    assert.match(reply.text, /read as python/);
    assert.match(reply.text, /<tr class="marked" id="r1-\d"><td>2<\/td><td><code>SLACK = &quot;xoxb\*\*\*\*UvWx&quot;/);
    assert.match(reply.text, /<tr class="marked" id="r1-\d"><td>5<\/td>/);
    assert.match(reply.text, /href="\/cwe\/CWE-89"/);
    assert.ok(!reply.text.includes('AbCdEfGh'), 'the secret is on the page');
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.match(reply.text, /Open links of this page in a new tab/);
    assert.ok(!reply.text.includes('<script>alert'));
  });

  test('a private key of several lines is masked as a whole, and the lines after it keep their numbers', async () => {
    const key = [
      '-----BEGIN RSA PRIVATE KEY-----',
      ...Array.from({ length: 5 }, (_, at) => createHash('sha384').update(`${at}`).digest('base64')),
      '-----END RSA PRIVATE KEY-----',
    ];
    const { text } = await submit({ text: [...key, `token = "${SECRET}"`].join('\n'), kind: 'text' });
    for (const line of key.slice(1, -1)) assert.ok(!text.includes(line.slice(0, 20)));
    assert.match(text, /<td>8<\/td><td><code>token = /);
  });

  test('nothing found is said with how it was read', async () => {
    const reply = await submit({ text: 'just words' });
    assert.match(headingOf(reply), /^Not recognised as .*read as plain text, no secret found in it$/);
    assert.match(reply.text, /read line by line/);
  });
});

describe('headers', () => {
  test('are graded, with lines to send', async () => {
    const reply = await submit({ text: 'HTTP/1.1 200 OK\r\nServer: nginx/1.18.0\r\nSet-Cookie: sid=1\r\n' });
    assert.equal(headingOf(reply), 'Grade F: 8 headers to mend');
    assert.match(reply.text, /Strict-Transport-Security: max-age=31536000\n/);
  });
});

describe('what cannot be checked', () => {
  test('a manifest: the file that would be right', async () => {
    const reply = await submit({ file: ['package.json', '{"dependencies":{"lodash":"^4"}}'] });
    assert.equal(reply.status, 400);
    assert.match(reply.text, /does not say which versions are installed\. Give package-lock\.json/);
  });

  test('nothing, what is no text, a broken lockfile, a form of nobody', async () => {
    const empty = await submit({ text: ' ', kind: 'go.mod' });
    assert.equal(empty.status, 400);
    assert.match(empty.text, /There is nothing to check/);
    assert.match(empty.text, /<form id="paste"/, 'the form is there again');
    assert.match(empty.text, /value="go\.mod" selected/);
    assert.match((await submit({ file: ['a.out', new Uint8Array([127, 69, 0, 1])] })).text, /It is not text/);
    const broken = await submit({ text: '{"lockfileVersion": 3,', kind: 'package-lock.json' });
    assert.equal(broken.status, 422);
    assert.match(
      broken.text,
      /it is no JSON[\s\S]*\{&quot;lockfileVersion&quot;: 3,<\/textarea>/,
      'the text is there to be mended',
    );
    for (const fields of [{ packed: 'AAAA' }, { text: 'x', kind: 'nonsense' }, { text: 'x', format: 'toString' }]) {
      assert.equal((await submit(fields)).status, 400);
    }
  });
});

describe('one version', () => {
  test('of a package has a link of its own, and the same path answers as JSON', async () => {
    const path = '/check?purl=pkg%3Amaven%2Forg.apache.logging.log4j%2Flog4j-core%402.14.1';
    const page = await service.get(path);
    assert.equal(headingOf(page), '1 upgrade mends 1 of 1 known flaw');
    assert.match(page.text, /<strong class="exploited">known exploited/);
    const { body } = await service.get(path, { accept: 'application/json' });
    assert.equal(body.findings[0].cve_id, IDS.log4shell);
  });

  test('of more packages than a page shows flaws of: the next page is a link, and nothing is shown twice', async () => {
    const purls = Array.from({ length: 50 }, (_, at) => [
      `pkg:npm/lodash@4.17.${at}`,
      `pkg:npm/evil-left-pad@1.0.${at}`,
    ]);
    const first = `/check?${new URLSearchParams(
      purls
        .flat()
        .slice(0, 50)
        .map((purl) => ['purl', purl]),
    ).toString()}`;
    const all = (await service.get(first, { accept: 'application/json' })).body;
    const { text } = await service.get(`${first}&from=${all.findings.length - 1}`);
    const rows = text.split('<tbody>')[1]!.split('</tbody>')[0]!.match(/<tr>/g) ?? [];
    assert.equal(rows.length, 1, 'the last one alone');
    // Beyond the last one, and what is no number, is the first page.
    for (const from of ['9999', '-1', 'x']) {
      const page = (await service.get(`${first}&from=${from}`)).text;
      assert.equal(
        (page.split('<tbody>')[1]!.split('</tbody>')[0]!.match(/<tr>/g) ?? []).length,
        Math.min(100, all.findings.length),
      );
    }
  });

  test('of a product that no source names is not called safe', async () => {
    const page = await service.get('/check?product=no-such-product&version=1.0');
    assert.equal(headingOf(page), 'Not known: no source names no-such-product 1.0');
  });
});
