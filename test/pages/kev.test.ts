import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { buildFixtureCatalog } from '../operations/fixture-catalog.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { startService } from '../support/service.ts';
import { linksOf, textOf } from './read-page.ts';

// The clock stands at 2026-01-15.
const service = await startService({ after });
const page = (path: string) => service.get(path, { accept: 'text/html' });

test('the newest addition first, with the days of CISA and how far they are', async () => {
  const { status, text } = await page('/kev');
  assert.equal(status, 200);
  const body = textOf(text);
  assert.match(body, /3 CVEs known to be exploited/);
  const rows = [IDS.eternalBlue, IDS.kevOnly, IDS.log4shell].map((id) => body.indexOf(id));
  assert.deepEqual(
    rows,
    rows.toSorted((a, b) => a - b),
  );
  assert.match(body, /2026-01-14 2026-01-20 5 days left not known/);
  assert.match(body, /2021-12-10 2021-12-24 over known use/);
  assert.match(body, /Acme Anvil falls not known .* 2022-05-04 not known/);
  assert.match(body, /US federal agencies/);
  assert.match(body, /Removals are not known/);
});

test('by vendor, by day, by due day', async () => {
  const { text } = await page('/kev?added_since=2026-01-01');
  assert.match(textOf(text), /1 CVE known to be exploited: added since 2026-01-01/);
  assert.ok(linksOf(text).includes('/kev'), 'the filter can be removed');
  const { text: due } = await page('/kev?sort=due_asc');
  assert.ok(due.indexOf(`>${IDS.log4shell}<`) < due.indexOf(`>${IDS.eternalBlue}<`));
  assert.match(due, /aria-current="true">Earliest due day/);
  const { status, text: faulty } = await page('/kev?added_since=yesterday&vendor=acme');
  assert.equal(status, 422);
  assert.match(faulty, /name="added_since" value="yesterday"[^>]* aria-invalid="true"/);
  const { text: none } = await page('/kev?vendor=nobody');
  assert.match(textOf(none), /None of the catalog matches/);
});

test('as CSV, as a feed, as JSON', async () => {
  const { text } = await page('/kev?format=csv');
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  assert.deepEqual(
    rows.map(({ cve_id, kev_due_date, ransomware_use }) => [cve_id, kev_due_date, ransomware_use]),
    [
      [IDS.eternalBlue, '2026-01-20', ''],
      [IDS.kevOnly, '', ''],
      [IDS.log4shell, '2021-12-24', 'true'],
    ],
  );
  const { text: feed } = await page('/kev?format=atom');
  assert.match(
    feed,
    new RegExp(`<title>${IDS.kevOnly}: Acme Anvil falls</title>\n<updated>2022-05-04T00:00:00.000Z</updated>`),
  );
  const { body } = await service.get('/kev', { accept: 'application/json' });
  assert.equal(body.total, 3);
});

test('without the catalog it says so, and not "none"', async (t) => {
  const empty = await startService(t, { catalog: buildFixtureCatalog(['kev']) });
  const { text } = await empty.get('/kev', { accept: 'text/html' });
  assert.match(textOf(text), /has not been synced/);
  assert.doesNotMatch(textOf(text), /0 CVEs known to be exploited/);
  const { text: product } = await empty.get('/product/apache/log4j', { accept: 'text/html' });
  assert.match(textOf(product), /not known how many known exploited/);
  assert.doesNotMatch(textOf(product), /none known exploited|None is listed/);
});
