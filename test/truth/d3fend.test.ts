import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { d3fendFeed } from '../../src/feeds/d3fend/d3fend.ts';
import { newFolder, writeFiles } from '../feeds/d3fend-fixture.ts';
import { syncInto } from '../support/catalog-of.ts';
import { contextOf, FEEDS_NOW, type FullCatalog } from '../support/full-catalog.ts';
import { sharedPath } from '../support/shared.ts';
import {
  answerFiles,
  answerRows,
  defensesByAttack,
  derivedMappings,
  derivedRows,
  fragment,
  mappingRows,
  ontologyNodes,
  type Row,
} from './raw/d3fend-rows.ts';

/** D3FEND's defenses, mappings and coverage against what is computed straight from the rows, for each shape it has had. */

const feeds = sharedPath('feeds');
const skip = sharedPath('feeds', 'd3fend') === null && 'no feeds';

async function synced(from: string): Promise<FullCatalog> {
  const folder = newFolder();
  assert.deepEqual(await syncInto(folder, from, [d3fendFeed], FEEDS_NOW), []);
  return contextOf(folder);
}

const idsOf = (rows: any[]): string[] => rows.map(({ defense_id }) => defense_id);

/** What must hold in any shape: list, look-ups, reverse look-ups and coverage say what the rows say. */
async function agree({ ask }: FullCatalog, rows: readonly Row[], nodes: ReadonlyMap<string, any>): Promise<void> {
  const mapped = Map.groupBy(rows, (row) => fragment(row['def_tech']!));
  const list = await ask('d3fend_defense_search', { limit: 200 });
  assert.deepEqual(idsOf(list['results']), [...mapped.keys()].sort());
  for (const [name, own] of mapped) await agreesOnDefense(ask, name, own, nodes.get(name));

  const byAttack = defensesByAttack(rows);
  const known = [...nodes.values()].flatMap((node) => node['d3f:attack-id'] ?? []) as string[];
  const attacks = [...new Set([...byAttack.keys(), ...known, 'T9999', 'T9999.001'])];
  for (let at = 0; at < attacks.length; at += 500) {
    await agreesOnCoverage(ask, attacks.slice(at, at + 500), byAttack, mapped);
  }
}

async function agreesOnDefense(ask: FullCatalog['ask'], name: string, rows: readonly Row[], node: any): Promise<void> {
  const found = await ask('d3fend_defense_lookup', { defense_id: node['d3f:d3fend-id'] });
  for (const given of [name, `D3F:${name}`, node['d3f:d3fend-id'], `https://d3fend.mitre.org/technique/d3f:${name}/`]) {
    const { results } = await ask('d3fend_defense_search', { keyword: given, limit: 1 });
    assert.deepEqual(idsOf(results), [name], `search for ${given}`);
    assert.equal((await ask('d3fend_defense_lookup', { defense_id: given }))['defense_id'], name, given);
  }
  const values = (variable: string): string[] => [...new Set(rows.map((row) => row[variable]!))].sort();
  assert.equal(found['defense_id'], name);
  assert.deepEqual([found['label']], values('def_tech_label'));
  assert.deepEqual([found['uri']], values('def_tech'));
  assert.deepEqual([found['tactic']], values('def_tactic_label'));
  assert.deepEqual(found['artifacts'].toSorted(), values('def_artifact_label'));
  assert.ok(found['artifacts'].includes(found['artifact']));
  assert.deepEqual(found['attack_techniques'], values('off_tech_id'));
  assert.equal(found['inherited_from'], null);
  assert.equal(found['description'], node['d3f:definition'].trim());
  assert.deepEqual(found['synonyms'], [node['d3f:synonym'] ?? []].flat());
}

async function agreesOnCoverage(
  ask: FullCatalog['ask'],
  attacks: readonly string[],
  byAttack: ReadonlyMap<string, string[]>,
  mapped: ReadonlyMap<string, readonly Row[]>,
): Promise<void> {
  const expected = attacks.map((id) => {
    const parent = id.includes('.') && !byAttack.has(id) && byAttack.has(id.slice(0, 5)) ? id.slice(0, 5) : null;
    return { id, parent, defenses: byAttack.get(parent ?? id) ?? [] };
  });
  const answer = await ask('d3fend_attack_coverage', { attack_techniques: attacks });
  assert.deepEqual(
    answer['coverage'].map((row: any) => [
      row.attack_technique_id,
      row.inherited_from,
      row.defense_count,
      idsOf(row.defenses),
    ]),
    expected.map(({ id, parent, defenses }) => [id, parent, defenses.length, defenses]),
  );
  assert.deepEqual(
    answer['undefended'],
    expected.filter(({ defenses }) => defenses.length === 0).map(({ id }) => id),
  );
  const counts: Record<string, number> = {};
  for (const name of new Set(expected.flatMap(({ defenses }) => defenses))) {
    const tactic = mapped.get(name)![0]!['def_tactic_label']!;
    counts[tactic] = (counts[tactic] ?? 0) + 1;
  }
  const counted = Object.entries<number>(answer['count_by_tactic']).filter(([, count]) => count > 0);
  assert.deepEqual(Object.fromEntries(counted), counts);
  for (const { id, parent, defenses } of expected) {
    const alone = await ask('d3fend_defense_for_attack', { attack_technique_id: id, limit: 200 });
    assert.deepEqual([alone['inherited_from'], idsOf(alone['defenses'])], [parent, defenses]);
  }
}

suite('D3FEND', { skip }, async () => {
  if (skip) return;
  const nodes = ontologyNodes('d3fend.json');
  const rows = mappingRows();

  suite('the file of all mappings', async () => {
    const full = await synced(feeds!);

    test('its counts', async () => {
      assert.equal(rows.length, 8744);
      assert.equal(new Set(rows.map((row) => row['def_tech'])).size, 127);
      const source = full.catalog.generation.sources['d3fend']!;
      assert.deepEqual([source.skipped, source.notes['version']], [0, '0.17.0']);
      const total = async (input: object) => (await full.ask('d3fend_defense_search', { ...input, limit: 1 }))['total'];
      assert.equal(await total({}), 127);
      assert.equal(await total({ include_unmapped: true }), 202);
      const tactics = { Model: 12, Harden: 18, Detect: 55, Isolate: 14, Deceive: 5, Evict: 14, Restore: 9 };
      for (const [tactic, count] of Object.entries(tactics)) assert.equal(await total({ tactic }), count, tactic);
    });

    test('every defense, every attack and the coverage of all', () => agree(full, rows, nodes));

    test('why a defense counters an attack: every distinct relation of the rows', async () => {
      const named = (row: Row): string =>
        ['def_artifact_rel_label', 'def_artifact_label', 'off_artifact_rel_label', 'off_artifact_label']
          .map((name) => row[name])
          .join('|');
      const expected = new Set(rows.map((row) => `${fragment(row['def_tech']!)} ${row['off_tech_id']} ${named(row)}`));
      const found = new Set<string>();
      for (const name of new Set(rows.map((row) => fragment(row['def_tech']!)))) {
        const { attack_mappings } = await full.ask('d3fend_defense_lookup', { defense_id: name, include: 'full' });
        for (const { attack_technique_id, relations } of attack_mappings) {
          for (const one of relations) {
            found.add(
              `${name} ${attack_technique_id} ${[one.relation, one.artifact, one.attack_relation, one.attack_artifact].join('|')}`,
            );
          }
        }
      }
      assert.equal(expected.size, 2798);
      assert.deepEqual(found, expected);
    });

    test('each defense of the ontology by its id, its name and its label; parents and tactics', async () => {
      const techniques = [...nodes].filter(
        ([name, node]) => String(node['d3f:d3fend-id']).startsWith('D3-') && name !== 'ARMA_Model',
      );
      assert.equal(techniques.length, 202);
      for (const [name, node] of techniques) {
        const label = String(node['rdfs:label']);
        for (const defense_id of [
          node['d3f:d3fend-id'],
          `d3f:${name}`,
          label,
          label.toLowerCase().replaceAll(' ', '-'),
        ]) {
          const found = await full.ask('d3fend_defense_lookup', { defense_id });
          assert.equal(found['defense_id'], name, defense_id);
          assert.equal(found['d3fend_id'], node['d3f:d3fend-id']);
        }
        const { parent_id, parent_label } = await full.ask('d3fend_defense_lookup', { defense_id: name });
        const above = [node['rdfs:subClassOf']].flat().map((one) => String(one['@id']).replace('d3f:', ''));
        if (parent_id === null) assert.ok(above.includes('DefensiveTechnique'), name);
        else assert.ok(above.includes(parent_id) && parent_label === nodes.get(parent_id)['rdfs:label'], name);
      }
    });
  });

  test('an answer for each ATT&CK technique, as since release 1.6', async () => {
    const from = newFolder();
    const d3fend = join(from, 'd3fend');
    const answers = Object.fromEntries(answerFiles().map(({ name, content }) => [name, content.toString('utf8')]));
    writeFiles(
      { ...answers, 'api/version.json': { version: '1.6.0', release_date: '2026-08-31T00:00:00.000Z' } },
      d3fend,
    );
    for (const path of ['d3fend.json', 'api/offensive-technique/all.json']) {
      cpSync(join(feeds!, 'd3fend', path), join(d3fend, path));
    }
    const full = await synced(from);
    // T1546.json is missing in the archive.
    assert.equal(full.catalog.generation.sources['d3fend']!.skipped, 1);
    const own = answerRows();
    assert.equal(new Set(own.map((row) => `${row['def_tech']} ${row['off_tech_id']}`)).size, 4079);
    await agree(full, own, nodes);
  });

  test('release 1.2.0', async () => {
    const from = newFolder();
    writeFiles({ 'd3fend-full-mappings.json': derivedMappings() }, join(from, 'd3fend'));
    cpSync(join(feeds!, 'd3fend', 'derived-1.2.0', 'd3fend.json'), join(from, 'd3fend', 'd3fend.json'));
    const own = derivedRows();
    assert.equal(new Set(own.map((row) => row['def_tech'])).size, 139);
    await agree(await synced(from), own, ontologyNodes('derived-1.2.0', 'd3fend.json'));
  });
});
