import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { organizationShortName } from '../../src/analysis/cve/organization-short-name.ts';
import type { MergedCve } from '../../src/analysis/cve/merge-cve.ts';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { distinctReferences, gathered } from './raw/gathered.ts';
import { cpeComponents, nvdMetrics } from './raw/parts.ts';

/**
 * 2,000 NVD records drawn at random: each fact in the catalog is what `JSON.parse` of the feed says. Other sources may add
 * to a list, after the NVD's own entries.
 */

const skip = noFeeds;

/** Every difference between what is expected of a raw record and what its merged record says; [] when all agree. */
async function compare(
  facts: (raw: any, merged: MergedCve) => [expected: unknown, actual: unknown],
): Promise<string[]> {
  const { catalog } = await fullCatalog();
  const { sample } = await gathered();
  assert.equal(sample.length, 2000);
  const wrong: string[] = [];
  for (const raw of sample) {
    const merged = catalog.cve(raw.id, true)?.record;
    assert.ok(merged != null && merged.sources.includes('nvd'), raw.id);
    const [expected, actual] = facts(raw, merged).map((side) => JSON.stringify(side));
    if (expected !== actual) wrong.push(`${raw.id}: ${actual?.slice(0, 300)}, not ${expected?.slice(0, 300)}`);
  }
  return wrong;
}

/** As many as the raw record has: what other sources add comes after. */
function own<Item>(actual: readonly Item[], { length }: readonly unknown[]): Item[] {
  return actual.slice(0, length);
}

suite('2,000 random NVD records', { skip }, () => {
  test('status, times, description, assigner, tags', async () => {
    const wrong = await compare((raw, merged) => {
      const description = raw.descriptions.find(({ lang }: any) => lang === 'en').value as string;
      const tags = (raw.cveTags ?? []).flatMap((entry: any) => entry.tags) as string[];
      return [
        [
          raw.vulnStatus,
          raw.vulnStatus === 'Rejected',
          `${raw.published}Z`,
          `${raw.lastModified}Z`,
          plain(description),
          raw.sourceIdentifier,
          tags,
        ],
        [
          merged.status,
          merged.rejected,
          merged.published,
          merged.modified,
          plain(merged.description ?? ''),
          merged.assigner,
          own(merged.tags, tags),
        ],
      ];
    });
    assert.deepEqual(wrong, []);
  });

  test('every CVSS assessment with its scorer', async () => {
    const wrong = await compare((raw, merged) => {
      const expected = nvdMetrics(raw).map(({ version, vector, score, severity, scorer, primary }) => [
        version,
        vector,
        score,
        severity,
        scorer,
        primary,
      ]);
      const metrics = merged.metrics.filter(({ source }) => source === 'nvd');
      return [
        expected,
        metrics.map((metric) => [
          metric.version,
          metric.vector,
          metric.base_score,
          metric.base_severity,
          metric.scorer,
          metric.primary,
        ]),
      ];
    });
    assert.deepEqual(wrong, []);
  });

  test('every weakness with who named it', async () => {
    const wrong = await compare((raw, merged) => {
      const named = (raw.weaknesses ?? []).flatMap((one: any) =>
        one.description.map(({ value }: any) => `${value} ${one.source}`),
      );
      const expected = [...new Set<string>(named)].filter((text) => text.startsWith('CWE-'));
      const actual = merged.weaknesses.map(({ cwe_id, source }) => `${cwe_id} ${source}`);
      return [expected.toSorted(), own(actual, expected).toSorted()];
    });
    assert.deepEqual(wrong, []);
  });

  test('every reference with its tags and source', async () => {
    const wrong = await compare((raw, merged) => {
      // They are kept in the order in which they are shown: fix and vendor first.
      const byUrl = (a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1);
      const expected = distinctReferences(raw)
        .filter(({ url }) => /^(https?|ftp):\/\//i.test(url))
        .sort(byUrl);
      // Where another source has the address too, its tags are joined to those of the NVD.
      const alone = merged.sources.length === 1;
      const known = (tags: string[], at: number): string[] => (alone ? tags : tags.slice(0, expected[at]!.tags.length));
      const kept = new Set(expected.map(({ url }) => url));
      const actual = merged.references
        .filter(({ url }) => kept.has(url) || merged.sources.length === 1)
        .toSorted(byUrl)
        .map(({ url, tags, source }, at) => [url, known(tags, at), source]);
      return [expected.map(({ url, tags, source }) => [url, tags, source]), actual];
    });
    assert.deepEqual(wrong, []);
  });

  test('every product with its version bounds, vulnerable or not', async () => {
    const wrong = await compare((raw, merged) => {
      const expected = [
        ...new Set(
          rawNodes(raw)
            .flatMap(({ cpeMatch }) => cpeMatch)
            .map(rawMatch),
        ),
      ];
      const actual = own(merged.products, expected).map(keptMatch);
      return [expected.toSorted(), actual.toSorted()];
    });
    assert.deepEqual(wrong, []);
  });

  test('the applicability tree: operators, negation, and which products stand at which node', async () => {
    const wrong = await compare((raw, merged) => [
      (raw.configurations ?? []).map((one: any) => ({
        operator: one.operator ?? 'OR',
        negate: one.negate ?? false,
        nodes: one.nodes.map((node: any) => [node.operator, node.negate ?? false, node.cpeMatch.map(rawMatch)]),
      })),
      merged.configurations.map(({ operator, negate, nodes }) => ({
        operator,
        negate,
        nodes: nodes.map((node) => [
          node.operator,
          node.negate,
          node.products.map((at) => keptMatch(merged.products[at]!)),
        ]),
      })),
    ]);
    assert.deepEqual(wrong, []);
  });
});

test('a look-up shows of 2,000 records what they hold, short and in full', { skip }, async () => {
  const { ask, catalog } = await fullCatalog();
  const { sample } = await gathered();
  for (const { id } of sample) {
    const record = catalog.cve(id, true)!.record!;
    const short = await ask('cve_lookup', { cve_id: id });
    const full = await ask('cve_lookup', {
      cve_id: id.toLowerCase(),
      include_affected_products: true,
      include_full_references: true,
      include_reference_tags: true,
      include_severity_breakdown: true,
    });
    const rows = record.products.map((product) => productRow(product));
    assert.deepEqual(full['affected_products'].map(shownRow), rows, id);
    assert.deepEqual(short['affected_products'], full['affected_products'].slice(0, 20), id);
    const named = record.references.map(({ source, ...rest }) => ({
      ...rest,
      source: source && organizationShortName(source),
    }));
    assert.deepEqual(full['references_full'], named, id);
    assert.deepEqual(
      full['references'],
      record.references.map(({ url }) => url),
      id,
    );
    assert.deepEqual(short['references'], full['references'].slice(0, 10), id);
    for (const answer of [short, full]) {
      assert.equal(answer['total_references'], record.references.length, id);
      assert.equal(answer['total_products'], record.products.length, id);
    }
    assert.equal(short['patch_url'], full['patch_url'], id);
    assert.equal('references_full' in short || 'severity_sources' in short, false, id);
    assert.equal(full['severity_sources'].length, record.metrics.length, id);
  }
});

function rawNodes(raw: any): { cpeMatch: any[] }[] {
  return (raw.configurations ?? []).flatMap((one: any) => one.nodes);
}

function rawMatch(match: any): string {
  const {
    vulnerable,
    criteria,
    versionStartIncluding,
    versionStartExcluding,
    versionEndIncluding,
    versionEndExcluding,
  } = match;
  return JSON.stringify([
    vulnerable,
    criteria,
    ...[versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding].map(
      (end) => end ?? null,
    ),
  ]);
}

function keptMatch(product: MergedCve['products'][number]): string {
  const { vulnerable, cpe, start_including, start_excluding, end_including, end_excluding } = product;
  return JSON.stringify([vulnerable, cpe, start_including, start_excluding, end_including, end_excluding]);
}

/** A row as it should be shown, taken apart here from its CPE name. */
function productRow(product: MergedCve['products'][number]): unknown[] {
  const { start_including, start_excluding, end_including, end_excluding, vulnerable } = product;
  const ends = [start_including, start_excluding, end_including, end_excluding];
  const components = product.cpe === null ? null : cpeComponents(product.cpe);
  if (components === null) return [product.vendor, product.product, null, product.version, ...ends, vulnerable];
  const [part, vendor, name, version] = components;
  return [vendor, name, part, version === '*' ? null : version, ...ends, vulnerable];
}

function shownRow(row: any): unknown[] {
  const ends = [
    row.version_start_including,
    row.version_start_excluding,
    row.version_end_including,
    row.version_end_excluding,
  ];
  return [row.vendor, row.product, row.part, row.version, ...ends, row.vulnerable];
}

/** Without what nobody sees: white space at line ends and characters that have no shape. */
function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, ' ').trim();
}
