import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { d3fendFeed } from '../../src/feeds/d3fend/d3fend.ts';
import type { Defense } from '../../src/feeds/d3fend/d3fend-entries.ts';
import { FeedFormatError } from '../../src/feeds/feed.ts';
import { createUpstream } from '../../src/feeds/create-upstream.ts';
import { poolFor, serve } from '../net/servers.ts';
import { syncInto } from '../support/catalog-of.ts';
import {
  AS_ANSWERS,
  AS_FILES,
  binding,
  D3FEND_ENTRIES,
  folderUpstream,
  newFolder,
  ONTOLOGY,
  ROWS,
  readUpstream,
  results,
  writeFiles,
} from './d3fend-fixture.ts';

const read = (files: Record<string, unknown>) => readUpstream(folderUpstream(writeFiles(files)));
const defense = (id: string, entries = D3FEND_ENTRIES) => entries.find((one) => one.id === id)!.body as Defense;
const links = (id: string, kind: string) =>
  D3FEND_ENTRIES.find((one) => one.id === id)!
    .links.filter((link) => link.kind === kind)
    .map(({ value }) => value);

describe('ontology and mappings joined', () => {
  test('every defensive technique is a document, and nothing else is', () => {
    const ids = D3FEND_ENTRIES.map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), ['AllowlistingByName', 'DecoyFile', 'DecoyObject', 'FileAnalysis', 'FileHashing']);
  });

  test('a defense has what the ontology says of it and what the mappings say', () => {
    const { d3fend_id, label, uri, description, tactic, parent, children, artifacts } = defense('FileAnalysis');
    assert.deepEqual(
      { d3fend_id, label, uri, description, tactic, parent, children, artifacts },
      {
        d3fend_id: 'D3-FA',
        label: 'File Analysis',
        uri: 'http://d3fend.mitre.org/ontologies/d3fend.owl#FileAnalysis',
        description: 'What File Analysis is, in our words.',
        tactic: 'Detect',
        parent: null,
        children: [{ defense_id: 'FileHashing', label: 'File Hashing' }],
        artifacts: ['File'],
      },
    );
  });

  test('a relation that stands in a row for each tactic of the attack is one', () => {
    const [first, second] = defense('FileAnalysis').mappings;
    assert.equal(first?.attack_technique_id, 'T1059');
    assert.equal(second?.name, 'Spearphishing Attachment');
    assert.deepEqual(
      second?.relations.map(({ relation, artifact, attack_relation, attack_artifact }) =>
        [relation, artifact, attack_relation, attack_artifact].join(' '),
      ),
      ['analyzes File modifies Executable File', 'analyzes File produces Executable File'],
    );
  });

  test('the tactic comes from above, as a property or as an OWL restriction', () => {
    assert.equal(defense('FileHashing').tactic, 'Detect');
    assert.equal(defense('DecoyObject').tactic, 'Deceive');
  });

  test('what is not mapped inherits from the nearest that is', () => {
    assert.deepEqual(defense('FileHashing').inherits_from, { defense_id: 'FileAnalysis', label: 'File Analysis' });
    assert.equal(defense('DecoyObject').inherits_from, null);
    assert.equal(defense('DecoyFile').inherits_from, null);
    assert.deepEqual([links('FileHashing', 'mapped'), links('DecoyFile', 'mapped')], [['no'], ['yes']]);
  });

  test('version and time are those of the ontology, the weight is the number of mappings', async () => {
    const { told } = await read(AS_FILES);
    assert.deepEqual(told.notes, { version: '0.17.0' });
    assert.equal(told.asOf, '2024-10-11T00:00:00.000Z');
    assert.equal(told.held, 4);
  });

  test('rows of 2023, which have no id of the attack but in its URI, are read', async () => {
    const rows = ROWS.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'off_tech_id')));
    const { entries } = await read({ ...AS_FILES, 'd3fend-full-mappings.json': results(rows) });
    assert.deepEqual(entries, D3FEND_ENTRIES);
  });

  test('a mapping that names a defense which the ontology lacks is kept', async () => {
    const more = binding({
      def_tech: 'Newer',
      def_tech_label: 'Newer One',
      def_tactic_label: 'Evict',
      off_tech: 'T1005',
    });
    const { entries } = await read({ ...AS_FILES, 'd3fend-full-mappings.json': results([...ROWS, more]) });
    const { label, d3fend_id, tactic, mappings } = defense('Newer', entries);
    assert.deepEqual([label, d3fend_id, tactic, mappings.length], ['Newer One', null, 'Evict', 1]);
  });

  test('a row that cannot be read is skipped with the reason', async () => {
    const broken = [binding({ def_tech: 'FileAnalysis', off_tech: 'NotATechnique' }), { def_tech: 'x' }];
    const { told } = await read({ ...AS_FILES, 'd3fend-full-mappings.json': results([...ROWS, ...broken]) });
    assert.deepEqual(
      told.skipped.map(({ what }) => what),
      ['mapping 7', 'mapping 8'],
    );
    assert.match(told.skipped[0]!.why, /ATT&CK technique id/);
  });
});

describe('the shapes of the upstream', () => {
  test('an answer for each ATT&CK technique gives the same defenses as the file of all mappings', async () => {
    const { entries, told } = await read(AS_ANSWERS);
    assert.deepEqual(told.skipped, []);
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    assert.deepEqual(entries.toSorted(byId), D3FEND_ENTRIES.toSorted(byId));
  });

  test('since 1.6 a file of all mappings that is still there is not taken', async () => {
    const stale = results([ROWS[0]!]);
    const { told } = await read({ ...AS_ANSWERS, 'd3fend-full-mappings.json': stale });
    assert.equal(told.held, 4);
  });

  test('a copy may be laid out as the upstream is', async () => {
    const { entries } = await read({
      'ontologies/d3fend.json': ONTOLOGY,
      'api/ontology/inference/d3fend-full-mappings.json': results(ROWS),
    });
    assert.deepEqual(entries, D3FEND_ENTRIES);
  });

  test('an answer that is missing is counted, the others are taken', async () => {
    const { 'api/offensive-technique/attack/T1005.json': _, ...rest } = AS_ANSWERS;
    const { told } = await read(rest);
    assert.deepEqual(told.skipped, [{ what: 'T1005', why: 'nothing at its address' }]);
    assert.equal(told.held, 3);
  });

  test('from the upstream itself, at its own paths, and with few requests at a time', async (t) => {
    let now = 0;
    let most = 0;
    const files: Record<string, unknown> = { ...AS_ANSWERS, 'ontologies/d3fend.json': ONTOLOGY };
    delete files['d3fend.json'];
    const server = await serve(t, (request, response) => {
      const content = files[decodeURI(request.url!.slice(1))];
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        response.writeHead(content === undefined ? 404 : 200).end(JSON.stringify(content));
      }, 20);
    });
    const upstream = createUpstream({ address: server.url, layout: 'origin', web: { pool: poolFor(t) } });
    const { told } = await readUpstream(upstream);
    assert.equal(told.held, 4);
    assert.ok(most <= 4, `${most} requests at a time`);
    assert.ok(server.requests.every(({ url }) => decodeURI(url!).slice(1) in files));
  });
});

describe('what did not change is not read again', () => {
  const statusOf = async (folder: string, validator: string | null) => {
    const [file] = await d3fendFeed.files(folderUpstream(folder), { asOf: null, files: new Set() });
    const opened = await file!.open!(validator);
    if (opened.status === 'open') for await (const _ of opened.bytes) continue;
    return opened.status;
  };

  test('two files: unchanged together, both read when one changes', async () => {
    const folder = writeFiles(AS_FILES);
    const { validator } = await readUpstream(folderUpstream(folder));
    assert.equal(await statusOf(folder, validator), 'unchanged');
    for (const path of ['d3fend.json', 'd3fend-full-mappings.json']) {
      const changed = writeFiles(AS_FILES);
      const { validator: before } = await readUpstream(folderUpstream(changed));
      writeFileSync(join(changed, path), `${JSON.stringify(AS_FILES[path])} `);
      assert.equal(await statusOf(changed, before), 'open', path);
      const again = await readUpstream(folderUpstream(changed));
      assert.deepEqual(again.entries, D3FEND_ENTRIES);
    }
  });

  test('answers: by the release', async () => {
    const folder = writeFiles(AS_ANSWERS);
    const { validator } = await readUpstream(folderUpstream(folder));
    assert.equal(await statusOf(folder, validator), 'unchanged');
    writeFiles({ 'api/version.json': { version: '1.7.0' } }, folder);
    assert.equal(await statusOf(folder, validator), 'open');
  });

  test('a validator that this service did not make counts as none', async () => {
    assert.equal(await statusOf(writeFiles(AS_FILES), 'W/"x"'), 'open');
  });
});

describe('what is not D3FEND is refused', () => {
  const wrong: Record<string, [Record<string, unknown>, RegExp]> = {
    'no ontology': [{ ...AS_FILES, 'd3fend.json': { '@graph': [] } }, /no ontology of defenses/],
    'no mappings': [{ ...AS_FILES, 'd3fend-full-mappings.json': results([]) }, /no mappings/],
    'an HTML page': [{ ...AS_FILES, 'd3fend-full-mappings.json': '<!DOCTYPE html><html></html>' }, /not JSON/],
    'a truncated file': [
      { ...AS_FILES, 'd3fend.json': JSON.stringify(ONTOLOGY).slice(0, -20) },
      /not JSON, or ends early/,
    ],
    'another JSON': [{ ...AS_FILES, 'd3fend-full-mappings.json': { a: 1 } }, /neither an ontology nor mappings/],
    'a graph of another kind': [{ ...AS_FILES, 'd3fend.json': { '@graph': [{}] } }, /not a JSON-LD graph/],
  };
  for (const [what, [files, why]] of Object.entries(wrong)) {
    test(what, async () => {
      await assert.rejects(read(files), (error: Error) => error instanceof FeedFormatError && why.test(error.message));
    });
  }

  test('nothing at the address', async () => {
    await assert.rejects(read({}), /neither a file of all mappings nor/);
    await assert.rejects(read({ 'd3fend-full-mappings.json': results(ROWS) }), /the ontology is not at its address/);
  });

  test('a list of techniques that is none', async () => {
    const list = { '@graph': [{ 'd3f:attack-id': '../../etc/passwd' }] };
    await assert.rejects(read({ ...AS_ANSWERS, 'api/offensive-technique/all.json': list }), /attack-id/);
  });
});

test('a release with a tenth fewer mappings is refused, although the ontology is whole', async () => {
  const data = newFolder();
  const feeds = newFolder();
  const now = new Date('2026-01-01T00:00:00Z');
  writeFiles(AS_FILES, join(feeds, 'd3fend'));
  assert.deepEqual(await syncInto(data, feeds, [d3fendFeed], now), []);
  writeFiles({ 'd3fend-full-mappings.json': results(ROWS.slice(0, 4)) }, join(feeds, 'd3fend'));
  assert.deepEqual(await syncInto(data, feeds, [d3fendFeed], now), [
    'shrank from 4 to 2 records, more than a tenth; if that is right: sextant sync d3fend --allow-shrink',
  ]);
});
