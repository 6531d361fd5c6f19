import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atlasFeed } from '../../src/feeds/atlas/atlas.ts';
import type { AtlasCaseStudy, AtlasTechnique } from '../../src/feeds/atlas/atlas-entries.ts';
import type { DocumentEntry } from '../../src/feeds/entries.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { ATLAS_ENTRIES, ATLAS_YAML } from './atlas-fixture.ts';
import { parseFeed } from './parse-feed.ts';

const read = (yaml: string) => parseFeed(atlasFeed, Buffer.from(yaml));
const entry = (id: string, entries = ATLAS_ENTRIES): DocumentEntry => entries.find((one) => one.id === id)!;
const technique = (id: string) => entry(id).body as AtlasTechnique;
const linksOf = (id: string, kind: string) =>
  entry(id)
    .links.filter((link) => link.kind === kind)
    .map(({ value }) => value);

test('every technique and case study becomes a document of its catalog', async () => {
  const { entries, told } = await read(ATLAS_YAML);
  assert.deepEqual(
    entries.map(({ collection, id }) => `${collection} ${id}`),
    [
      'atlas_technique AML.T0051',
      'atlas_technique AML.T0051.000',
      'atlas_technique AML.T0043',
      'atlas_technique AML.T0052',
      'atlas_case_study AML.CS0000',
      'atlas_case_study AML.CS0001',
    ],
  );
  assert.deepEqual(told.skipped, []);
  assert.deepEqual(told.notes, { version: '9.9.0' });
  assert.equal(told.asOf, '2026-01-15');
});

test('a sub-technique has the tactics of its parent, and says so', () => {
  const { tactics, inherited_tactics, subtechnique_of } = technique('AML.T0051.000');
  assert.deepEqual(tactics, [{ tactic_id: 'AML.TA0005', name: 'Execution' }]);
  assert.equal(inherited_tactics, true);
  assert.equal(subtechnique_of, 'AML.T0051');
  assert.equal(technique('AML.T0051').inherited_tactics, false);
  assert.deepEqual(technique('AML.T0051').subtechniques, [{ technique_id: 'AML.T0051.000', name: 'Direct' }]);
});

test('mitigations stand at the techniques that they are for', () => {
  const name = 'Look At What Goes In';
  assert.deepEqual(technique('AML.T0051').mitigations, [
    { mitigation_id: 'AML.M0001', name, use: 'Prompts are filtered.' },
  ]);
  assert.deepEqual(technique('AML.T0043').mitigations, [{ mitigation_id: 'AML.M0001', name, use: null }]);
  assert.deepEqual(technique('AML.T0052').mitigations, []);
});

test('a tactic can be asked for by id and by name', () => {
  assert.deepEqual(linksOf('AML.T0043', 'tactic'), ['aml ta0001', 'ai attack staging']);
});

test('a case study tells its steps, each technique once, and what can be looked up elsewhere', () => {
  const study = entry('AML.CS0000').body as AtlasCaseStudy;
  assert.deepEqual(
    study.procedure.map(({ tactic, technique }) => [tactic?.name, technique.name]),
    [
      ['AI Attack Staging', 'Craft Adversarial Data'],
      ['Initial Access', 'Phishing'],
      ['AI Attack Staging', 'Craft Adversarial Data'],
    ],
  );
  assert.deepEqual(
    study.techniques_used.map(({ technique_id }) => technique_id),
    ['AML.T0043', 'AML.T0052'],
  );
  assert.deepEqual(study.cve_ids, ['CVE-2019-20634']);
  assert.deepEqual(study.attack_techniques, [{ attack_technique_id: 'T1566', technique_id: 'AML.T0052' }]);
  assert.deepEqual(study.references, [
    { title: 'How it was done', url: 'https://example.org/evasion' },
    { title: 'A talk', url: null },
  ]);
  assert.deepEqual(new Set(linksOf('AML.CS0001', 'technique_family')), new Set(['AML.T0051.000', 'AML.T0051']));
  assert.deepEqual(linksOf('AML.CS0001', 'technique'), ['AML.T0051.000']);
});

test('a record that cannot be read is skipped with the reason, the others stay', async () => {
  const { entries, told } = await read(ATLAS_YAML.replace('id: AML.T0043\n', 'id: AML.43\n'));
  assert.equal(entries.filter(({ collection }) => collection === 'atlas_technique').length, 3);
  assert.deepEqual(told.skipped, [{ what: 'AML.43', why: 'id: not an ATLAS technique id' }]);
  // A case study that uses it keeps its id in the place of the name.
  const study = entry('AML.CS0000', entries).body as AtlasCaseStudy;
  assert.deepEqual(study.techniques_used[0], { technique_id: 'AML.T0043', name: 'AML.T0043' });
});

test('text keeps its markdown and loses what cannot be seen', async () => {
  const { entries } = await read(ATLAS_YAML.replace('name: Phishing', 'name: "Phish\\u202Eing\\u200B \\e[31m"'));
  assert.equal(entry('AML.T0052', entries).title, 'Phishing [31m');
  assert.equal(
    technique('AML.T0051').description,
    'Somebody writes prompts that make a language model leave its orders.\nSee [Direct](/techniques/AML.T0051.000).',
  );
});

describe('what is not the catalog is refused', () => {
  const wrong: Record<string, [string, RegExp]> = {
    'an HTML page': ['<!DOCTYPE html><html><body>404</body></html>', /HTML page/],
    nothing: ['', /empty/],
    'a truncated file': [ATLAS_YAML.slice(0, 200), /not the ATLAS catalog/],
    'another YAML': ['a: 1\n', /not the ATLAS catalog/],
    'plain text': ['429: Too Many Requests', /YAML/],
    'a tab where none may be': ['a:\n\t- b\n', /cannot be read/],
    'aliases without end': [
      `a: &a [x]\n${Array.from({ length: 200 }, (_, n) => `b${n}: *a`).join('\n')}\n`,
      /cannot be read/,
    ],
  };
  for (const [what, [content, why]] of Object.entries(wrong)) {
    test(what, async () => {
      await assert.rejects(
        read(content),
        (error: Error) => error instanceof FeedFormatError && why.test(error.message),
      );
    });
  }
});
