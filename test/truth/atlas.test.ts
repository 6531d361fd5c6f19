import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { load } from 'js-yaml';
import { atlasFeed } from '../../src/feeds/atlas/atlas.ts';
import { newFolder } from '../feeds/d3fend-fixture.ts';
import { syncInto } from '../support/catalog-of.ts';
import { contextOf, FEEDS_NOW } from '../support/full-catalog.ts';
import { sharedPath } from '../support/shared.ts';
import { feedFile } from './raw/files.ts';

/** Every technique and case study of the given `ATLAS.yaml`, field by field, and each filter against looking at all of them. */

const feeds = sharedPath('feeds');
const skip = sharedPath('feeds', 'atlas') === null && 'no feeds';

suite('ATLAS', { skip }, async () => {
  if (skip) return;
  const { matrices, 'case-studies': studies, version } = load(feedFile('atlas', 'ATLAS.yaml').toString('utf8')) as any;
  const { tactics, techniques, mitigations } = matrices[0];
  const byId = new Map<string, any>(techniques.map((one: any) => [one.id, one]));
  const tacticNames = new Map<string, string>(tactics.map((one: any) => [one.id, one.name]));
  const tacticsOf = (one: any): string[] => one.tactics ?? byId.get(one['subtechnique-of']).tactics;

  const folder = newFolder();
  assert.deepEqual(await syncInto(folder, feeds!, [atlasFeed], FEEDS_NOW), []);
  const { ask, catalog } = contextOf(folder);
  const all = async (operation: string, input: object, field: string): Promise<string[]> => {
    const answer = await ask(operation, { ...input, limit: 200 });
    assert.equal(answer['total'], answer['results'].length);
    return answer['results'].map((row: any) => row[field]);
  };

  test('counts are those of the file', async () => {
    assert.deepEqual([techniques.length, studies.length, mitigations.length, tactics.length], [170, 57, 35, 16]);
    const source = catalog.generation.sources['atlas']!;
    assert.deepEqual([source.records, source.skipped, source.notes['version']], [227, 0, version]);
    assert.deepEqual(await all('atlas_technique_search', {}, 'technique_id'), [...byId.keys()].sort());
    assert.deepEqual(
      await all('atlas_case_study_search', {}, 'case_study_id'),
      studies.map((one: any) => one.id).sort(),
    );
  });

  test('every field of every technique', async () => {
    for (const raw of techniques) {
      const found = await ask('atlas_technique_lookup', { technique_id: raw.id });
      assert.equal(found['name'], raw.name);
      assert.equal(found['description'], raw.description.trim(), raw.id);
      assert.deepEqual(
        found['tactics'],
        tacticsOf(raw).map((id) => ({ tactic_id: id, name: tacticNames.get(id) })),
      );
      assert.equal(found['inherited_tactics'], raw.tactics === undefined, raw.id);
      assert.equal(found['maturity'], raw.maturity);
      assert.equal(found['attack_reference_id'], raw['ATT&CK-reference']?.id ?? null);
      assert.equal(found['attack_reference_url'], raw['ATT&CK-reference']?.url ?? null);
      assert.equal(found['subtechnique_of'], raw['subtechnique-of'] ?? null);
      assert.deepEqual([found['created_date'], found['modified_date']], [raw.created_date, raw.modified_date]);
      assert.deepEqual(
        found['subtechniques'].map((one: any) => one.technique_id),
        techniques.filter((one: any) => one['subtechnique-of'] === raw.id).map((one: any) => one.id),
      );
      const uses = mitigations.flatMap((one: any) =>
        one.techniques
          .filter(({ id }: any) => id === raw.id)
          .map(({ use }: any) => [one.id, one.name, use?.trim() || null]),
      );
      assert.deepEqual(
        found['mitigations'].map((one: any) => [one.mitigation_id, one.name, one.use]),
        uses,
        raw.id,
      );
    }
  });

  test('every field of every case study', async () => {
    for (const raw of studies) {
      const found = await ask('atlas_case_study_lookup', { case_study_id: raw.id, include: 'full' });
      assert.equal(found['name'], raw.name.trim());
      assert.equal(found['description'], raw.summary.trim(), raw.id);
      assert.deepEqual(
        [found['target'], found['actor'], found['reporter'], found['case_study_type']],
        [raw.target, raw.actor, raw.reporter ?? null, raw['case-study-type']],
        raw.id,
      );
      assert.deepEqual(
        [found['incident_date'], found['incident_date_granularity']],
        [raw['incident-date'], raw['incident-date-granularity']],
      );
      assert.deepEqual(
        found['procedure'].map((step: any) => [
          step.tactic.tactic_id,
          step.tactic.name,
          step.technique.technique_id,
          step.technique.name,
          step.description,
        ]),
        raw.procedure.map((step: any) => [
          step.tactic,
          tacticNames.get(step.tactic),
          step.technique,
          byId.get(step.technique).name,
          step.description.trim(),
        ]),
        raw.id,
      );
      assert.deepEqual(
        found['techniques_used'].map((one: any) => one.technique_id),
        [...new Set(raw.procedure.map((step: any) => step.technique))],
      );
      assert.deepEqual(
        found['references'].map((one: any) => [one.title, one.url]),
        (raw.references ?? []).map((one: any) => [one.title?.trim() ?? null, one.url?.trim() || null]),
        raw.id,
      );
      const hints = (type: string) =>
        found['pivot_hints'].filter((hint: any) => hint.type === type).map((hint: any) => hint.value);
      assert.deepEqual(hints('cve'), [
        ...new Set((JSON.stringify(raw).match(/CVE-\d{4}-\d{4,}/gi) ?? []).map((id) => id.toUpperCase())),
      ]);
      const counterparts = raw.procedure
        .map((step: any) => byId.get(step.technique)['ATT&CK-reference']?.id)
        .filter(Boolean);
      assert.deepEqual(new Set(hints('attack_technique')), new Set(counterparts));
    }
  });

  test('by tactic, under its id and its name, and by maturity', async () => {
    for (const { id, name } of tactics) {
      const expected = techniques
        .filter((one: any) => tacticsOf(one).includes(id))
        .map((one: any) => one.id)
        .sort();
      assert.ok(expected.length > 0);
      for (const tactic of [id, name, name.toLowerCase().replaceAll(' ', '-')]) {
        assert.deepEqual(await all('atlas_technique_search', { tactic }, 'technique_id'), expected, tactic);
      }
    }
    for (const [maturity, count] of [
      ['feasible', 17],
      ['demonstrated', 89],
      ['realized', 64],
    ] as const) {
      assert.equal((await all('atlas_technique_search', { maturity }, 'technique_id')).length, count);
    }
  });

  test('case studies of each technique, with and without sub-techniques', async () => {
    for (const technique_id of byId.keys()) {
      const using = (fits: (id: string) => boolean): string[] =>
        studies
          .filter((one: any) => one.procedure.some((step: any) => fits(step.technique)))
          .map((one: any) => one.id)
          .sort();
      const exact = await all(
        'atlas_case_study_search',
        { technique_id, include_subtechniques: false },
        'case_study_id',
      );
      assert.deepEqual(
        exact,
        using((id) => id === technique_id),
        technique_id,
      );
      const family = await all('atlas_case_study_search', { technique_id }, 'case_study_id');
      assert.deepEqual(
        family,
        using((id) => id === technique_id || id.startsWith(`${technique_id}.`)),
        technique_id,
      );
    }
  });

  test('every technique is the first that its own name finds, or shares the name', async () => {
    for (const { id, name } of techniques) {
      const { results } = await ask('atlas_technique_search', { keyword: name, limit: 3 });
      const first = results.map((row: any) => row.technique_id);
      assert.ok(
        first.includes(id) || results.some((row: any) => row.name.includes(name)),
        `${id} ${name}: ${first.join(' ')}`,
      );
    }
  });
});
