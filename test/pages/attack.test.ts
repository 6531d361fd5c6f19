import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { buildFixtureCatalog } from '../operations/fixture-catalog.ts';
import { startService } from '../support/service.ts';

const HTML = { accept: 'text/html' };
const LOG4SHELL_RULE = '5ea8faa8-db8b-45be-89b0-151b84c82702';
const service = await startService({ after });
const page = async (path: string) => (await service.get(path, HTML)).text;

describe('/attack', () => {
  test('searches all catalogs at once, and leads to each', async () => {
    const text = await page('/attack?q=exploit');
    assert.match(text, /href="\/attack\/T1190"/);
    assert.match(text, /\d+ techniques of ATT&amp;CK/);
    for (const id of ['attack', 'sigma', 'd3fend', 'atlas', 'cwe']) assert.ok(text.includes(`id="${id}"`), id);
  });

  test('says in words what covers a list of techniques, and what does not', async () => {
    const text = await page('/attack?techniques=T1190%20t1499;T9999');
    assert.match(text, /1 of 3 ids? (?:is|are) not in ATT&amp;CK Enterprise|Nothing here covers 1 of 3 techniques/);
    assert.match(text, /<tr id="T1190">.*no D3FEND defense/);
    assert.match(text, /<tr id="T9999">.*not in ATT&amp;CK Enterprise.*not known: check the id/);
  });

  test('is its data, too', async () => {
    const { body } = await service.get('/attack?techniques=T1190', { accept: 'application/json' });
    assert.equal(body.techniques[0].technique_id, 'T1190');
    const one = await service.get('/attack/T1190', { accept: 'application/json' });
    assert.equal(one.body.name, 'Exploit Public-Facing Application');
  });

  test('a list that cannot be read is refused, with what would be right', async () => {
    const { status, text } = await service.get('/attack?techniques=%3Cscript%3E', HTML);
    assert.equal(status, 422);
    assert.doesNotMatch(text, /<script>/);
  });
});

describe('/attack/matrix', () => {
  test('a cell says by word what covers a technique, and leads to it', async () => {
    const text = await page('/attack/matrix');
    assert.match(text, /<h1>Neither Sigma nor D3FEND covers 2 of 4 techniques of ATT&amp;CK<\/h1>/);
    assert.match(text, /<h2 id="initial-access">Initial Access <span class="note">neither: 2 of 4/);
    assert.match(
      text,
      /<li class="cover cover-both"><a href="\/attack\/T1059">[^<]*<\/a> <span>both: 2 rules, 2 defenses/,
    );
    assert.match(text, /<li class="cover cover-neither"><a href="\/attack\/T1499">[^<]*<\/a> <span>neither</);
  });

  test('the same as tables, sub-techniques too', async () => {
    const text = await page('/attack/matrix');
    assert.match(text, /<th scope="row">Initial Access<\/th><td class="number">4<\/td><td class="number">1<\/td>/);
    assert.match(text, /href="\/attack\/T1059\.007">T1059\.007<\/a> JavaScript<\/th>.*<td>D3FEND alone<\/td>/);
  });

  test('each kind of coverage is a link that keeps the platform', async () => {
    const text = await page('/attack/matrix?platform=Linux&coverage=neither');
    assert.match(text, /href="\/attack\/matrix\?coverage=neither&amp;platform=Linux" aria-current="true"/);
    assert.match(text, /<option value="Linux" selected>/);
    assert.equal((await service.get('/attack/matrix?coverage=%3Cb%3E', HTML)).status, 422);
  });

  test('a pasted list has one, too: what is unknown or revoked is no cell', async () => {
    const text = await page('/attack?techniques=T1190%0AT9999%0AT1574.002');
    assert.match(text, /<li class="cover cover-sigma"><a href="\/attack\/T1190">/);
    assert.doesNotMatch(text, /<li class="cover[^>]*><a href="\/attack\/T(?:9999|1574\.002)"/);
    assert.match(text, /revoked: see <a href="\/attack\/T1574\.001">/);
  });
});

describe('/attack/:technique', () => {
  test('the first lines say what sees it, what stops it and what to begin with', async () => {
    const text = await page('/attack/T1190');
    assert.match(text, /<h1>T1190 Exploit Public-Facing Application<\/h1>/);
    assert.match(text, /Seen by \d+ Sigma rules? and 1 detection strategy; D3FEND maps no defense to it\./);
    assert.match(text, /make it harder by Update Software \(M1051\)/);
    assert.match(text, /href="\/cve\/CVE-2021-44228"/);
    assert.match(text, /nginx:access/);
  });

  test('links to sub-techniques, weaknesses and successors', async () => {
    assert.match(await page('/attack/T1059'), /href="\/attack\/T1059\.007"/);
    assert.match(await page('/attack/T1059.007'), /href="\/cwe\/CWE-79"/);
    assert.match(await page('/attack/T1574.002'), /use <a href="\/attack\/T1574\.001">/);
  });

  test('what was not synced is not known, and not none', async (t) => {
    const without = await startService(t, { catalog: buildFixtureCatalog(['sigma', 'd3fend']) });
    const { text } = await without.get('/attack/T1190', HTML);
    assert.match(text, /Sigma rules: not known/);
    assert.match(text, /Defenses: not known/);
  });

  test('an unknown one is 404', async () => assert.equal((await service.get('/attack/T9999', HTML)).status, 404));
});

describe('rules, defenses, attacks on AI, weaknesses', () => {
  test('a rule: level, techniques, text to copy', async () => {
    const text = await page(`/sigma/${LOG4SHELL_RULE}`);
    assert.match(text, /class="severity severity-high"/);
    assert.match(text, /data-copy="rule-text"/);
    assert.match(text, /id: 5ea8faa8-db8b-45be-89b0-151b84c82702/);
    assert.match(text, /href="\/cve\/CVE-2021-44228"/);
  });

  test('rules are narrowed by links with counts', async () => {
    const all = await page('/sigma');
    const [, path = '', count = ''] =
      /href="(\/sigma\?level=high)">high<\/a> <span class="count">(\d+)/.exec(all) ?? [];
    assert.match(await page(path), new RegExp(`<h1>${count} Sigma rules?`));
    assert.match(await page('/sigma?q=nonsensical'), /No rule matches all of this/);
    assert.equal((await service.get('/sigma?level=terrible', HTML)).status, 422);
  });

  test('defenses, by name and by id', async () => {
    assert.match(await page('/d3fend'), /defenses? of D3FEND/);
    assert.match(await page('/d3fend/FileAnalysis'), /Counters \d+ ATT&amp;CK technique/);
    assert.equal((await service.get('/d3fend/NoSuchDefense', HTML)).status, 404);
  });

  test('techniques and cases of ATLAS', async () => {
    const list = await page('/atlas');
    for (const pattern of [/href="(\/atlas\/AML\.T\d{4}[\d.]*)"/, /href="(\/atlas\/AML\.CS\d{4})"/]) {
      const [, path = ''] = pattern.exec(list) ?? assert.fail(String(pattern));
      assert.equal((await service.get(path, HTML)).status, 200, path);
    }
  });

  test('a weakness: its CVEs, its attack patterns, its techniques', async () => {
    const text = await page('/cwe/79');
    assert.match(text, /<h1>CWE-79 /);
    assert.match(text, /CAPEC-63/);
    assert.match(text, /href="\/attack\/T1059\.007"/);
    assert.match(text, /href="\/search\?cwe_id=CWE-79"/);
    assert.match(await page('/cwe?q=%3Cb%3E'), /No weakness has these words/);
  });
});
