import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sigmaFeed } from '../../src/feeds/sigma/sigma.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { syncInto } from '../support/catalog-of.ts';
import { contextOf } from '../support/full-catalog.ts';
import { type Chance, chance } from '../support/random.ts';
import { sharedPath } from '../support/shared.ts';
import {
  bruteForce,
  listOf,
  type RawRule,
  type RuleQuery,
  rawRules,
  spelled,
  stemsOf,
  textOf,
} from './raw/sigma-rules.ts';
import type { Yaml } from './raw/sigma-yaml.ts';

const feeds = sharedPath('feeds');
const skip: false | 'no feeds' = sharedPath('feeds', 'sigma', 'sigma_all_rules.zip') === null && 'no feeds';
const SEED = 2026;
const PAGE = 200;

let opened: ReturnType<typeof open> | null = null;

/** A catalog with the rules alone, and the rules as their files have them. */
function everything(): ReturnType<typeof open> {
  opened ??= open();
  return opened;
}

async function open() {
  const folder = temporaryFolder();
  assert.deepEqual(await syncInto(folder, feeds!, [sigmaFeed], new Date('2026-09-01T00:00:00Z')), []);
  const { ask, catalog } = contextOf(folder);
  return { ask, catalog, rules: rawRules('sigma', 'sigma_all_rules.zip') };
}

test('every rule of the zip is in the catalog, and none was skipped', { skip }, async () => {
  const { ask, catalog, rules } = await everything();
  assert.equal(rules.length, 3309);
  assert.equal(catalog.generation.sources['sigma']?.skipped, 0);
  assert.equal((await ask('sigma_search', { limit: 1 }))['total'], 3309);
});

test('as many of each level and status as lines in the files say', { skip }, async () => {
  const { ask, rules } = await everything();
  for (const field of ['level', 'status'] as const) {
    const counts = new Map<string, number>();
    for (const { content } of rules) {
      const value = new RegExp(`^${field}: *([a-z]+)`, 'm').exec(content)?.[1] ?? 'none';
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    assert.equal(
      [...counts.values()].reduce((sum, count) => sum + count),
      3309,
    );
    for (const [value, count] of counts) {
      assert.equal((await ask('sigma_search', { [field]: value, limit: 1 }))['total'], count, `${field} ${value}`);
    }
  }
});

test('every field of every rule is that of its file', { skip }, async () => {
  const { ask, rules } = await everything();
  for (const { path, id, yaml, techniques, cves } of rules) {
    const { rule } = await ask('sigma_rule_lookup', { rule_id: id.toUpperCase(), include: 'full' });
    const { condition, ...selections } = yaml['detection'] as Record<string, Yaml>;
    const logsource = yaml['logsource'] as Record<string, Yaml>;
    const { detection_summary, detection, ...fields } = rule;
    assert.deepEqual(
      fields,
      {
        rule_id: id,
        title: yaml['title'],
        status: yaml['status'],
        level: yaml['level'],
        description: textOf(yaml['description']).trim(),
        author: yaml['author'],
        date: textOf(yaml['date']).replaceAll('/', '-'),
        modified: yaml['modified'] === undefined ? null : textOf(yaml['modified']).replaceAll('/', '-'),
        tags: listOf(yaml['tags']),
        logsource: Object.fromEntries(
          ['product', 'category', 'service', 'definition'].map((name) => [name, textOrNull(logsource[name])]),
        ),
        references: listOf(yaml['references']),
        falsepositives: listOf(yaml['falsepositives']).map((text) => text.trim()),
        license: 'DRL-1.1',
        source_url: `https://github.com/SigmaHQ/sigma/blob/master/${path}`,
        attack_techniques: [...new Set(techniques)],
        cve_ids: cves,
      },
      path,
    );
    assert.deepEqual(detection.selections, spelledAll(selections), path);
    assert.equal(detection.condition, textOf(condition).trim().replace(/\s+/g, ' '), path);
    assert.equal(detection.truncated, false);
    assert.ok(detection_summary.length > 0 && detection_summary.length <= 300, path);
  }
});

test('the answer without include=full is small, and says what was cut', { skip }, async () => {
  const { ask, rules } = await everything();
  let cut = 0;
  for (const { id, yaml } of rules) {
    const answer = await ask('sigma_rule_lookup', { rule_id: id });
    const { detection } = answer['rule'];
    assert.ok(JSON.stringify(answer).length < 24_000, `${id} ${JSON.stringify(answer).length}`);
    assert.ok(JSON.stringify(detection.selections).length <= 8000);
    const { condition: _, ...selections } = yaml['detection'] as Record<string, Yaml>;
    assert.equal(detection.truncated, JSON.stringify(spelledAll(selections)).length > 8000, id);
    assert.deepEqual(Object.keys(detection.selections), Object.keys(selections));
    cut += Number(detection.truncated);
  }
  assert.ok(cut > 0 && cut < 20, `${cut} cut`);
});

test('100 random searches find what looking at every rule finds, over all pages', { skip }, async (t) => {
  const { ask, rules } = await everything();
  const stems = stemsOf(rules);
  const dice = chance(SEED);
  let found = 0;
  for (let turn = 0; turn < 100; turn++) {
    const query = randomQuery(rules, dice);
    const expected = bruteForce(rules, query, stems);
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Record<string, any> = await ask('sigma_search', { ...query, limit: PAGE, offset });
      assert.equal(page['total'], expected.length, JSON.stringify(query));
      seen.push(...page['results'].map((row: { rule_id: string }) => row.rule_id));
      offset = page['next_offset'];
    }
    assert.deepEqual(query.query === undefined ? seen : seen.toSorted(), expected, JSON.stringify(query));
    found += Number(expected.length > 0);
  }
  t.diagnostic(`${found} of 100 found something`);
  assert.ok(found > 50);
});

test('a technique finds the rules of its sub-techniques, a sub-technique only its own', { skip }, async () => {
  const { ask, rules } = await everything();
  for (const technique of ['T1059', 'T1059.001', 'T1003', 'T1190']) {
    const lines = rules.filter(({ content }) =>
      new RegExp(`^ *- *attack\\.${technique.toLowerCase().replace('.', '\\.')}(\\.|\\s|$)`, 'm').test(content),
    );
    assert.ok(lines.length > 5);
    assert.equal(
      (await ask('sigma_search', { technique: technique.toLowerCase(), limit: 1 }))['total'],
      lines.length,
      technique,
    );
  }
});

test('the exact title of a rule finds it before others', { skip }, async (t) => {
  const { ask, rules } = await everything();
  const dice = chance(SEED + 1);
  let first = 0;
  for (let turn = 0; turn < 100; turn++) {
    const { id, yaml } = dice.pick(rules);
    const page = await ask('sigma_search', { query: textOf(yaml['title']), limit: 5 });
    const place = page['results'].findIndex((row: { rule_id: string }) => row.rule_id === id);
    assert.notEqual(place, -1, textOf(yaml['title']));
    first += Number(place === 0);
  }
  t.diagnostic(`${first} of 100 first, all among the first five`);
  assert.ok(first >= 90, `${first}`);
});

test('the state of the source says release and day', { skip }, async () => {
  const { catalog } = await everything();
  const state = catalog.generation.sources['sigma'];
  assert.equal(state?.data_time, '2026-08-05');
  assert.deepEqual(state?.notes, { version: 'r2026-07-01-18-g8eaafff1f' });
});

function textOrNull(value: Yaml | undefined): string | null {
  return value === undefined || value === null ? null : textOf(value).trim();
}

function spelledAll(value: Yaml): Yaml {
  if (typeof value === 'string') return spelled(value);
  if (Array.isArray(value)) return value.map(spelledAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spelledAll(inner)]));
}

/** Some of the filters with values of a random rule, and words of it or of another. */
function randomQuery(rules: readonly RawRule[], dice: Chance): RuleQuery {
  const { yaml, techniques, cves } = dice.pick(rules);
  const logsource = yaml['logsource'] as Record<string, Yaml>;
  const query: RuleQuery = {};
  if (dice.often(0.4) && techniques.length > 0) {
    const technique = dice.pick(techniques);
    query.technique = dice.often(0.5) ? technique : technique.slice(0, 5);
  }
  if (dice.often(0.5) && cves.length > 0) query.cve_id = dice.pick(cves);
  if (dice.often(0.3) && logsource['product'] != null) query.logsource_product = textOf(logsource['product']);
  if (dice.often(0.2) && logsource['category'] != null) query.logsource_category = textOf(logsource['category']);
  if (dice.often(0.2)) query.status = textOf(yaml['status']);
  if (dice.often(0.2)) query.level = textOf(yaml['level']);
  if (dice.often(0.5)) {
    const source = dice.often(0.8) ? yaml : dice.pick(rules).yaml;
    const words = `${textOf(source['title'])} ${textOf(source['description'])}`.match(/[\p{L}\p{N}-]{3,}/gu) ?? [];
    query.query = Array.from({ length: 1 + dice.below(3) }, () => dice.pick(words)).join(' ');
  }
  return query;
}
