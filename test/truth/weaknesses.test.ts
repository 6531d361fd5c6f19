import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { chance } from '../support/random.ts';
import { feedFile, zipFiles } from './raw/files.ts';
import { gathered } from './raw/gathered.ts';

const skip = noFeeds;

interface RawWeakness {
  id: number;
  name: string;
  abstraction: string;
  status: string;
  parents: number[];
  mitigations: number;
  examples: number;
}

/** Weaknesses straight from the XML, and the pillars of view 1000. */
function readXml(): { weaknesses: Map<number, RawWeakness>; pillars: number[] } {
  const [document] = [...zipFiles(feedFile('cwe', 'cwec_latest.xml.zip'))];
  const xml = document!.content.toString('utf8');
  const weaknesses = [...xml.matchAll(/<Weakness ([^>]*)>(.*?)<\/Weakness>/gs)].map(
    ([, head = '', body = '']): RawWeakness => {
      const attribute = (name: string, from = head): string => new RegExp(`\\b${name}="([^"]*)"`).exec(from)?.[1] ?? '';
      const related = [...body.matchAll(/<Related_Weakness ([^>]*)\/>/g)].map(([, text = '']) => text);
      const parents = related.filter(
        (text) => attribute('Nature', text) === 'ChildOf' && attribute('View_ID', text) === '1000',
      );
      return {
        id: Number(attribute('ID')),
        name: attribute('Name')
          .replaceAll('&quot;', '"')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&'),
        abstraction: attribute('Abstraction'),
        status: attribute('Status'),
        parents: [...new Set(parents.map((text) => Number(attribute('CWE_ID', text))))],
        mitigations: body.match(/<Mitigation[ >]/g)?.length ?? 0,
        examples: body.match(/<Observed_Example[ >]/g)?.length ?? 0,
      };
    },
  );
  const view = /<View ID="1000".*?<\/View>/s.exec(xml)?.[0] ?? '';
  const pillars = [...view.matchAll(/<Has_Member CWE_ID="(\d+)"/g)].map(([, id]) => Number(id));
  return { weaknesses: new Map(weaknesses.map((weakness) => [weakness.id, weakness])), pillars };
}

/** All above a weakness with the fewest steps to each. */
function distances(weaknesses: Map<number, RawWeakness>, from: number): Map<number, number> {
  const steps = new Map([[from, 0]]);
  for (const [id, distance] of steps) {
    for (const parent of weaknesses.get(id)!.parents) if (!steps.has(parent)) steps.set(parent, distance + 1);
  }
  steps.delete(from);
  return steps;
}

test('the chains of 20 random weaknesses are those of the XML', { skip }, async () => {
  const { ask } = await fullCatalog();
  const { rows } = await gathered();
  const { weaknesses, pillars } = readXml();
  assert.equal(weaknesses.size, 964);
  const inView = [...weaknesses.values()].filter(
    ({ parents, status }) => parents.length > 0 && status !== 'Deprecated',
  );
  const dice = chance(31);
  const drawn = [79, 1321, 120, ...Array.from({ length: 20 }, () => dice.pick(inView).id)];
  for (const id of drawn) {
    const raw = weaknesses.get(id)!;
    const record = await ask('cwe_lookup', { cwe_id: `cwe-${id}`, include: 'full' });
    assert.deepEqual(
      [record['cwe_id'], record['name'], record['abstraction']],
      [`CWE-${id}`, raw.name, raw.abstraction],
    );
    const steps = distances(weaknesses, id);
    const chain = record['parent_chain'].map(({ cwe_id }: any) => Number(cwe_id.slice(4))) as number[];
    assert.deepEqual(
      chain.toSorted((a, b) => a - b),
      [...steps.keys()].toSorted((a, b) => a - b),
      `parents of ${id}`,
    );
    const nearest = chain.map((parent) => steps.get(parent)!);
    assert.deepEqual(
      nearest,
      nearest.toSorted((a, b) => a - b),
      `nearest first: ${id}`,
    );
    assert.ok(
      chain.some((parent) => pillars.includes(parent)),
      `${id} has no pillar`,
    );
    const children = [...weaknesses.values()]
      .filter(({ parents }) => parents.includes(id))
      .map((child) => `CWE-${child.id}`);
    assert.deepEqual(
      record['child_chain'].map(({ cwe_id }: any) => cwe_id).sort(),
      children.sort(),
      `children of ${id}`,
    );
    assert.deepEqual([record['total_mitigations'], record['total_examples']], [raw.mitigations, raw.examples], `${id}`);
    assert.equal(record['related_cves_count'], rows.filter(({ cwes }) => cwes.includes(`CWE-${id}`)).length, `${id}`);
  }
});

test('weaknesses of view 1000 are found, everything else is not', { skip }, async () => {
  const { ask } = await fullCatalog();
  const { weaknesses, pillars } = readXml();
  assert.equal(pillars.length, 10);
  for (const { id, parents, status } of weaknesses.values()) {
    const inside = (parents.length > 0 || pillars.includes(id)) && status !== 'Deprecated';
    const asked = ask('cwe_lookup', { cwe_id: String(id) });
    if (inside) assert.equal((await asked)['cwe_id'], `CWE-${id}`);
    else await assert.rejects(asked, { code: 'not_found' }, `CWE-${id}`);
  }
  await assert.rejects(ask('cwe_lookup', { cwe_id: 'CWE-16' }), { code: 'not_found' });
});
