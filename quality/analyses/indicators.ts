import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extractIndicators } from '../../src/analysis/indicators/extract-indicators.ts';
import { parseIp } from '../../src/analysis/ip-address.ts';
import type { AnalysisQuality, CorpusQuality, MeasureQuality, ToolResult } from '../analysis-quality.ts';
import { blindBatches } from '../blind-batches.ts';
import { commonestMistakes, type WrongCase } from '../counts.ts';
import { installNpmPeer } from '../npm-peer.ts';

interface Observable {
  readonly type: string;
  readonly value: string;
}

/** A text with the indicators that a reader finds in it, and look-alikes that are none. */
interface TextCase {
  readonly about: string;
  readonly text: string;
  readonly indicators: readonly Observable[];
  readonly not: readonly string[];
}

interface Extractor {
  readonly name: string;
  readonly extract: (text: string) => readonly Observable[];
}

/** Indicators in free text: what is found, and which of the look-alikes. */
export const measureQuality: MeasureQuality = async ({ peers }): Promise<AnalysisQuality> => {
  const mistakes: WrongCase[] = [];
  const notes = [
    'A false alarm is a look-alike that a reader named and that was read as an indicator. The host of a listed URL and the domain of a listed mail address are neither demanded nor wrong.',
  ];
  const peer = await loadIocExtractor(peers);
  if (peer === null) notes.push('ioc-extractor was not run beside it.');
  const corpora: CorpusQuality[] = [];
  for (const { name, folder, origin } of blindBatches('indicators')) {
    const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as TextCase[];
    const own = judge({ name: 'Sextant', extract: extractIndicators }, cases, mistakes);
    const results = peer === null ? [own] : [own, judge(peer, cases, null)];
    corpora.push({ name, origin, size: `${cases.length} texts`, results });
  }
  return { title: 'Indicators in text', corpora, mistakes: commonestMistakes(mistakes), notes };
};

function judge({ name, extract }: Extractor, cases: readonly TextCase[], mistakes: WrongCase[] | null): ToolResult {
  const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };
  const found = new Map<TextCase, readonly Observable[]>();
  const started = performance.now();
  for (const one of cases) found.set(one, extract(one.text));
  const seconds = (performance.now() - started) / 1000;
  for (const [{ about, indicators, not }, extracted] of found) {
    const values = new Set(extracted.map(comparable));
    for (const indicator of indicators) {
      if (values.has(comparable(indicator))) counts.truePositives++;
      else {
        counts.falseNegatives++;
        mistakes?.push({ kind: `${indicator.type} missed`, name: `${about}: ${indicator.value}`.slice(0, 80) });
      }
    }
    const texts = new Set(extracted.map(({ value }) => value.toLowerCase()));
    for (const lookalike of not) {
      if (!texts.has(lookalike.toLowerCase())) counts.trueNegatives++;
      else {
        counts.falsePositives++;
        mistakes?.push({ kind: 'look-alike taken for an indicator', name: `${about}: ${lookalike}`.slice(0, 80) });
      }
    }
  }
  const megabytes = cases.reduce((sum, { text }) => sum + text.length, 0) / 1e6;
  return { tool: name, counts, seconds, speed: `${(megabytes / seconds).toFixed(1)} MB/s` };
}

/** One spelling for each thing: hosts in ASCII, addresses in their canonical form. */
function comparable({ type, value }: Observable): string {
  if (type === 'url') return `url ${URL.parse(value.replaceAll('&amp;', '&'))?.href ?? value}`;
  if (type === 'ipv6') return `ipv6 ${parseIp(value) ?? value}`;
  return `${type} ${value.toLowerCase()}`;
}

const PEER_TYPES: Readonly<Record<string, string>> = {
  ipv4s: 'ipv4',
  ipv6s: 'ipv6',
  domains: 'domain',
  urls: 'url',
  emails: 'email',
  cves: 'cve',
  md5s: 'md5',
  sha1s: 'sha1',
  sha256s: 'sha256',
};

async function loadIocExtractor(folder: string | null): Promise<Extractor | null> {
  const installed = installNpmPeer(folder, 'ioc-extractor', '8.2.0');
  if (installed === null) return null;
  const path = installed.folder;
  const { exports, main } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const entry = exports?.['.']?.import?.default ?? exports?.['.']?.import ?? exports?.['.']?.default ?? main;
  const { extractIOC } = await import(pathToFileURL(join(path, entry)).href);
  return {
    name: installed.tool,
    extract: (text) =>
      Object.entries(extractIOC(text) as Record<string, string[]>).flatMap(([kind, values]) =>
        PEER_TYPES[kind] === undefined ? [] : values.map((value) => ({ type: PEER_TYPES[kind]!, value })),
      ),
  };
}
