import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { d3fendFeed } from '../../src/feeds/d3fend/d3fend.ts';
import type { DocumentEntry } from '../../src/feeds/entries.ts';
import type { Feed, FeedFile } from '../../src/feeds/feed.ts';
import { type Upstream } from '../../src/feeds/upstream.ts';
import { createUpstream } from '../../src/feeds/create-upstream.ts';
import { parseFeed, type Told } from './parse-feed.ts';

const NAMESPACE = 'http://d3fend.mitre.org/ontologies/d3fend.owl#';
const id = (name: string) => ({ '@id': name.startsWith('_:') ? name : `d3f:${name}` });

function technique(name: string, label: string, d3fendId: string, above: string[], more: object = {}): object {
  return {
    ...id(name),
    '@type': ['owl:Class', 'owl:NamedIndividual'],
    'rdfs:label': label,
    'd3f:d3fend-id': d3fendId,
    'd3f:definition': `What ${label} is, in our words.`,
    'rdfs:subClassOf': above.length === 1 ? id(above[0]!) : above.map(id),
    ...more,
  };
}

/** A small ontology of our own in the form of `d3fend.json`. */
export const ONTOLOGY = {
  '@context': { d3f: NAMESPACE },
  '@graph': [
    {
      '@id': NAMESPACE.slice(0, -1),
      '@type': 'owl:Ontology',
      'owl:versionInfo': '0.17.0',
      'd3f:release-date': { '@type': 'xsd:dateTime', '@value': '2024-10-11T00:00:00+00:00' },
    },
    { ...id('DefensiveTechnique'), 'rdfs:label': 'Defensive Technique' },
    { ...id('Detect'), 'rdfs:label': 'Detect' },
    { ...id('Deceive'), 'rdfs:label': 'Deceive' },
    { ...id('Isolate'), 'rdfs:label': 'Isolate' },
    technique('FileAnalysis', 'File Analysis', 'D3-FA', ['DefensiveTechnique'], { 'd3f:enables': id('Detect') }),
    technique('FileHashing', 'File Hashing', 'D3-FH', ['FileAnalysis'], { 'd3f:synonym': ['Hash Matching'] }),
    technique('DecoyFile', 'Decoy File', 'D3-DF', ['DecoyObject']),
    // The tactic stands in an OWL restriction here, as it does in the ontology's source.
    technique('DecoyObject', 'Decoy Object', 'D3-DO', ['DefensiveTechnique', '_:n1']),
    { '@id': '_:n1', 'owl:onProperty': id('enables'), 'owl:someValuesFrom': id('Deceive') },
    technique('AllowlistingByName', 'Name Allow-listing', 'D3-NAL', ['DefensiveTechnique'], {
      'd3f:enables': id('Isolate'),
    }),
    { ...id('LinearRegression'), 'rdfs:label': 'Linear Regression', 'd3f:d3fend-id': 'D3A-LR' },
    { ...id('T1566'), 'd3f:attack-id': 'T1566', 'rdfs:label': 'Phishing' },
  ],
};

type Fields = Record<string, string>;

/** A row as SPARQL has it. */
export function binding(fields: Fields): Record<string, { type: string; value: string }> {
  const uris = ['def_tech', 'off_tech'];
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      uris.includes(name) ? { type: 'uri', value: `${NAMESPACE}${value}` } : { type: 'literal', value },
    ]),
  );
}

function row(defense: string, label: string, tactic: string, attack: string, attackName: string, more: Fields = {}) {
  return binding({
    def_tech: defense,
    def_tech_label: label,
    def_tactic_label: tactic,
    def_artifact_rel_label: tactic === 'Detect' ? 'analyzes' : 'spoofs',
    def_artifact_label: 'File',
    off_artifact_label: 'Executable File',
    off_artifact_rel_label: 'modifies',
    off_tech: attack,
    off_tech_label: attackName,
    off_tech_id: attack,
    ...more,
  });
}

const file = ['FileAnalysis', 'File Analysis', 'Detect'] as const;
const decoy = ['DecoyFile', 'Decoy File', 'Deceive'] as const;
export const ROWS = [
  row(...file, 'T1566.001', 'Spearphishing Attachment'),
  // The same once more, for another tactic of the attack; and a second relation.
  row(...file, 'T1566.001', 'Spearphishing Attachment', { off_tactic_label: 'Execution' }),
  row(...file, 'T1566.001', 'Spearphishing Attachment', { off_artifact_rel_label: 'produces' }),
  row(...file, 'T1059', 'Command and Scripting Interpreter'),
  row(...decoy, 'T1059', 'Command and Scripting Interpreter', { def_artifact_label: 'Decoy Document' }),
  row(...decoy, 'T1005', 'Data from Local System'),
];

export const results = (bindings: readonly unknown[]) => ({ head: { vars: [] }, results: { bindings } });

/** The layout of a copy until release 1.5. */
export const AS_FILES: Record<string, unknown> = {
  'd3fend.json': ONTOLOGY,
  'd3fend-full-mappings.json': results(ROWS),
  'api/version.json': { version: '0.17.0', release_date: '2024-10-11T00:00:00.000Z' },
};

/** The same knowledge as it is served since release 1.6: an answer for each ATT&CK technique. */
export const AS_ANSWERS: Record<string, unknown> = {
  'd3fend.json': ONTOLOGY,
  'api/version.json': { version: '1.6.0', release_date: '2026-08-31T00:00:00.000Z' },
  'api/offensive-technique/all.json': {
    '@graph': ['T1005', 'T1059', 'T1566.001', 'T1486'].map((attack) => ({ ...id(attack), 'd3f:attack-id': attack })),
  },
  ...Object.fromEntries(
    ['T1005', 'T1059', 'T1566.001', 'T1486'].map((attack) => {
      const own = ROWS.filter(({ off_tech_id }) => off_tech_id!.value === attack);
      // An attack without a defense has rows that name none.
      const none = binding({ off_tech: attack, off_tech_id: attack, off_tech_label: 'Any' });
      return [`api/offensive-technique/attack/${attack}.json`, { off_to_def: results([none, ...own]) }];
    }),
  ),
};

const ROOT = mkdtempSync(join(tmpdir(), 'sextant-test-'));
process.once('exit', () => rmSync(ROOT, { recursive: true, force: true }));

/** A folder that is gone when the process ends; any number of them. */
export function newFolder(): string {
  return mkdtempSync(join(ROOT, 'x-'));
}

/** Writes files into a folder; texts as they are, everything else as JSON. */
export function writeFiles(files: Record<string, unknown>, folder = newFolder()): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

export function folderUpstream(folder: string): Upstream {
  return createUpstream({ address: pathToFileURL(`${folder}/`).href, layout: 'mirror' });
}

/** The one file of the feed, opened and read. */
export async function readUpstream(
  upstream: Upstream,
  feed: Feed<'document'> = d3fendFeed,
): Promise<{ entries: DocumentEntry[]; told: Told; validator: string | null; file: FeedFile }> {
  const [file] = await feed.files(upstream, { asOf: null, files: new Set() });
  const opened = await file!.open!(null);
  if (opened.status !== 'open') throw new Error(opened.status);
  const content = Buffer.concat(await Array.fromAsync(opened.bytes));
  return { ...(await parseFeed(feed, content)), validator: opened.validator, file: file! };
}

/** The fixture as the feed reads it. */
export const D3FEND_ENTRIES = (await readUpstream(folderUpstream(writeFiles(AS_FILES)))).entries;
