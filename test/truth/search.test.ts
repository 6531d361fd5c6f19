import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { type Chance, chance } from '../support/random.ts';
import { gathered } from './raw/gathered.ts';
import type { Row } from './raw/rows.ts';
import { bruteSearch, type SearchInput } from './raw/search.ts';

const SEED = 4711;
const QUERIES = 200;
const skip = noFeeds;

test(`${QUERIES} random searches find what looking at every record finds`, { skip }, async () => {
  const { ask } = await fullCatalog();
  const { rows } = await gathered();
  const dice = chance(SEED);
  const wrong: string[] = [];
  let found = 0;
  for (let turn = 0; turn < QUERIES; turn++) {
    const input = randomSearch(rows, dice);
    const expected = bruteSearch(rows, input);
    const offset = dice.below(Math.min(expected.length + 1, 5001));
    const limit = 1 + dice.below(200);
    const page = await ask('cve_search', { ...input, offset, limit });
    const same = isDeepStrictEqual(
      ids(page['results']),
      expected.slice(offset, offset + limit).map(({ id }) => id),
    );
    if (page['total'] !== expected.length || !same) {
      wrong.push(`${JSON.stringify({ ...input, offset, limit })}: ${page['total']}, not ${expected.length}`);
    }
    found += Number(expected.length > 0);
  }
  assert.deepEqual(wrong, []);
  assert.ok(found > QUERIES / 2, `only ${found} queries had anything to find`);
});

test('each product and vendor of 100 random records find them, whatever the case and with a space for _', {
  skip,
}, async () => {
  const { ask } = await fullCatalog();
  const { rows } = await gathered();
  const dice = chance(SEED + 1);
  for (let turn = 0; turn < 100; turn++) {
    const { product, vendor } = randomProduct(rows, dice, 'affected');
    const input = { product: retyped(product, dice), vendor: retyped(vendor, dice) };
    const expected = bruteSearch(rows, { product, vendor });
    const page = await ask('cve_search', { ...input, limit: 200 });
    assert.equal(page['total'], expected.length, JSON.stringify(input));
    assert.deepEqual(
      ids(page['results']),
      expected.slice(0, 200).map(({ id }) => id),
      JSON.stringify(input),
    );
  }
});

test('a name with a backslash in it is found by it, and by nothing else', { skip }, async () => {
  const { ask } = await fullCatalog();
  assert.deepEqual(ids((await ask('cve_search', { product: String.raw`backpack\crud` }))['results']), [
    'CVE-2018-20962',
  ]);
  assert.deepEqual((await ask('cve_search', { product: 'backpackcrud' }))['results'], []);
});

test('pages stitched together are the whole list, without gap or overlap', { skip }, async () => {
  const { ask } = await fullCatalog();
  const { rows } = await gathered();
  for (const input of [
    { vendor: 'apache', sort: 'epss_desc' },
    { kev: true, sort: 'cvss_desc' },
    { product: 'wordpress', tagged: true },
    { cwe_id: 'CWE-416', published_after: '2022-01-01' },
  ] satisfies SearchInput[]) {
    const expected = bruteSearch(rows, input).map(({ id }) => id);
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Record<string, any> = await ask('cve_search', { ...input, limit: 173, offset });
      assert.equal(page['total'], expected.length);
      assert.equal(page['count'], page['results'].length);
      seen.push(...ids(page['results']));
      offset = page['next_offset'];
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(seen, expected.slice(0, seen.length));
    assert.ok(seen.length === expected.length || seen.length > 5000, JSON.stringify(input));
  }
});

test('leading lists what advisory sources have and the NVD has not, or has not analysed', { skip }, async () => {
  const { ask } = await fullCatalog();
  const { rows } = await gathered();
  const expected = bruteSearch(
    rows.filter(({ leading }) => leading),
    {},
  ).map(({ id }) => id);
  const seen: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Record<string, any> = await ask('cve_leading', { limit: 200, offset });
    assert.equal(page['total'], expected.length);
    seen.push(...ids(page['results']));
    for (const { cve_id, source } of page['results']) assert.notEqual(source, 'nvd', cve_id);
    offset = page['next_offset'];
  }
  assert.deepEqual(seen, expected);
});

test('what is recent was published within the hours asked for', { skip }, async () => {
  const { ask, services } = await fullCatalog();
  const { rows } = await gathered();
  const from = services.now().getTime() / 1000 - 720 * 3600;
  const expected = rows.filter(({ published, rejected }) => !rejected && published !== null && published >= from);
  const page = await ask('cves_recent', { hours: 720, limit: 200 });
  assert.equal(page['total'], expected.length);
  assert.deepEqual(ids(page['results']).sort(), expected.map(({ id }) => id).sort());
});

test('a rejected CVE is in no search, unless rejected ones are asked for', { skip }, async () => {
  const { ask } = await fullCatalog();
  const { rows } = await gathered();
  const rejected = rows.filter((row) => row.rejected);
  assert.ok(rejected.length >= 10_275);
  const without = await ask('cve_search', { limit: 1 });
  const withThem = await ask('cve_search', { limit: 1, include_rejected: true });
  assert.equal(withThem['total'], rows.length);
  assert.equal(without['total'], rows.length - rejected.length);
  const dice = chance(SEED + 2);
  for (let turn = 0; turn < 50; turn++) {
    const { id } = dice.pick(rejected);
    const record = await ask('cve_lookup', { cve_id: id });
    assert.equal(record['rejected'], true, id);
    assert.match(record['summary'], /rejected/i, id);
  }
});

function ids(results: { cve_id: string }[]): string[] {
  return results.map(({ cve_id }) => cve_id);
}

/** Some of the filters, with values of a random record so that most queries find something. */
function randomSearch(rows: readonly Row[], dice: Chance): SearchInput {
  const like = dice.pick(rows);
  const input: SearchInput = {};
  if (dice.often(0.45)) {
    const kind = dice.often(0.6) ? 'affected' : dice.often(0.5) ? 'platform' : 'target';
    const { product, vendor } = randomProduct(rows, dice, kind);
    const which = dice.below(3);
    if (which !== 0) input.product = retyped(product, dice);
    if (which !== 1) input.vendor = retyped(vendor, dice);
    if (kind !== 'affected' || dice.often(0.3)) input.tagged = dice.often(0.8);
  }
  if (dice.often(0.3)) input.severity = like.severity ?? dice.pick(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']);
  if (dice.often(0.25) && like.published !== null) input.published_after = day(like.published);
  if (dice.often(0.25)) input.published_before = day(dice.pick(rows).published ?? 0);
  if ((input.published_after ?? '') > (input.published_before ?? '9')) delete input.published_before;
  if (dice.often(0.15)) input.kev = true;
  if (dice.often(0.25)) input.epss_min = dice.often(0.5) ? (like.epss ?? 0) : dice.pick([0, 0.001, 0.1, 0.7, 1]);
  if (dice.often(0.25)) input.cvss_min = like.cvss ?? dice.pick([0, 4, 7, 9.1]);
  if (dice.often(0.25)) input.cvss_max = dice.pick(rows).cvss ?? 10;
  if ((input.cvss_min ?? 0) > (input.cvss_max ?? 10)) delete input.cvss_max;
  if (dice.often(0.2) && like.cwes.length > 0) input.cwe_id = dice.pick(like.cwes);
  if (dice.often(0.2)) input.include_rejected = true;
  if (dice.often(0.7)) input.sort = dice.pick(['epss_desc', 'cvss_desc', 'published_desc']);
  return input;
}

/** A product of some CVE; of the sizes that the search takes. */
function randomProduct(rows: readonly Row[], dice: Chance, kind: string): { product: string; vendor: string } {
  for (;;) {
    const own = dice.pick(rows).tokens.filter((text) => text.startsWith(`${kind}\t`));
    if (own.length === 0) continue;
    const [, vendor = '', product = ''] = dice.pick(own).split('\t');
    if ([vendor, product].every(({ length }) => length >= 2 && length <= 100)) return { product, vendor };
  }
}

/** The same name as somebody else may type it. */
function retyped(name: string, dice: Chance): string {
  const spaced = dice.often(0.5) ? name.replaceAll('_', ' ') : name;
  return dice.often(0.3)
    ? spaced.toUpperCase()
    : dice.often(0.5)
      ? spaced.replace(/^./, (first) => first.toUpperCase())
      : spaced;
}

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
