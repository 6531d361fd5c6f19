import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CorpusQuality, Counts, MeasureQuality, ToolResult } from '../analysis-quality.ts';
import { blindBatches } from '../blind-batches.ts';
import { commonestMistakes } from '../counts.ts';
import { installNpmPeer } from '../npm-peer.ts';
import { judgeFoundSuite, judgeLabelled, type Judged, judgeNotFoundSuite, judgeRegistrySuite } from '../whois/judge.ts';
import { OWN_PARSER, whoiserParser, whoisParsedParser, type WhoisParser } from '../whois/whois-facts.ts';

const CORPORA = join(import.meta.dirname, '../corpora/whois');

interface Corpus {
  name: string;
  origin: CorpusQuality['origin'];
  judge: (parser: WhoisParser) => Judged[];
}

/** Fields of WHOIS texts: a value that is right is a true positive; a wrong one is a false positive, and a miss. */
export const measureQuality: MeasureQuality = async ({ suites, peers }) => {
  const notes = [
    'Batch 1 was read to see which kinds of texts were missed, and the parser was changed after that (before it, 12 of its fields were wrong): only batch 2 measures what is unseen. The labels of the own layouts were taken from what this service read, then checked against the texts by eye: they show that nothing got worse, not how good it is.',
    'A field is right if it is what the corpus says, days within the hours that zones are apart. Peers are judged only on fields that they have.',
  ];
  const corpora = corporaOf(suites, notes);
  const parsers = [OWN_PARSER, ...peerParsers(peers, notes)];
  const missed: { kind: string; name: string }[] = [];
  const measured = corpora.map(({ name, origin, judge }): CorpusQuality => {
    const own = judge(OWN_PARSER);
    for (const { text, field, verdict } of own)
      if (verdict !== 'right' && verdict !== 'absent') missed.push({ kind: `${field}: ${verdict}`, name: text });
    return {
      name,
      origin,
      size: `${own.length} fields of ${new Set(own.map(({ text }) => text)).size} texts`,
      results: parsers.map((parser) => resultOf(parser, judge)),
    };
  });
  return { title: 'WHOIS', corpora: measured, mistakes: commonestMistakes(missed), notes };
};

function corporaOf(suites: string | null, notes: string[]): Corpus[] {
  const corpora: Corpus[] = [
    { name: 'layouts of 40 registries', origin: 'own', judge: (parser) => judgeLabelled(join(CORPORA, 'own'), parser) },
  ];
  for (const { name, folder, origin } of blindBatches('whois'))
    corpora.push({ name, origin, judge: (parser) => judgeLabelled(folder, parser) });
  const root = suites === null ? null : join(suites, 'whois');
  if (root === null || !existsSync(root)) notes.push('The public suites were not there.');
  else
    corpora.push(
      {
        name: 'weppos/whois-parser',
        origin: 'public',
        judge: (parser) => judgeRegistrySuite(join(root, 'registry'), parser),
      },
      {
        name: 'likexian/whois-parser',
        origin: 'public',
        judge: (parser) => [
          ...judgeFoundSuite(join(root, 'likexian'), parser),
          ...judgeNotFoundSuite(join(root, 'likexian'), parser),
        ],
      },
    );
  return corpora;
}

function peerParsers(folder: string | null, notes: string[]): WhoisParser[] {
  if (folder === null) return [];
  const found = [
    { name: 'whoiser', version: '1.18.0', parserOf: whoiserParser },
    { name: 'whois-parsed', version: '1.0.14', parserOf: whoisParsedParser },
  ].flatMap(({ name, version, parserOf }) => {
    const peer = installNpmPeer(folder, name, version);
    if (peer === null) notes.push(`${name} could not be installed.`);
    return peer === null ? [] : [parserOf(peer)];
  });
  return found;
}

const SUITE_FIELDS: Readonly<Record<string, string>> = { 'name servers': 'nameServers', 'IANA id': 'registrarIanaId' };

function resultOf(parser: WhoisParser, judge: Corpus['judge']): ToolResult {
  const started = performance.now();
  const judged = judge(parser).filter(({ field }) =>
    parser.fields.some((known) => known === (SUITE_FIELDS[field] ?? field)),
  );
  const seconds = (performance.now() - started) / 1000;
  const texts = new Set(judged.map(({ text }) => text)).size;
  return { tool: parser.tool, counts: countsOf(judged), seconds, speed: `${Math.round(texts / seconds)} texts/s` };
}

function countsOf(judged: readonly Judged[]): Counts {
  const number = (...verdicts: Judged['verdict'][]): number =>
    judged.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    truePositives: number('right'),
    falsePositives: number('wrong', 'invented'),
    falseNegatives: number('wrong', 'missing'),
    trueNegatives: number('absent') === 0 ? null : number('absent'),
  };
}
