import { z } from 'zod';
import type { DocumentLink } from '../entries.ts';
import { canonicalCveId } from '../fields.ts';
import { type Detection, parseDetection } from './detection.ts';
import { summarizeDetection } from './summarize-detection.ts';
import { isMapping, boundedText, boundedTexts } from './yaml-values.ts';

const REPOSITORY = 'https://github.com/SigmaHQ/sigma/blob/master/';
/** SPDX id of the Detection Rule License, the licence of SigmaHQ's repository; a rule may name another one. */
const DEFAULT_LICENSE = 'DRL-1.1';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DATE = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/;
const ATTACK_TAG = /^attack\.(t\d{4}(?:\.\d{3})?)$/i;
const CVE_TAG = /^cve\.(\d{4})[.-](\d{4,19})$/i;
const CVE_IN_TEXT = /\bCVE[- ]?(\d{4})-(\d{4,19})(?!\d)/gi;

const LIMITS = {
  title: 300,
  word: 100,
  description: 8000,
  author: 500,
  definition: 4000,
  tags: { items: 100, characters: 100 },
  references: { items: 100, characters: 2000 },
  falsepositives: { items: 50, characters: 1000 },
};

export interface LogSource {
  product: string | null;
  category: string | null;
  service: string | null;
  /** What must be logged so that the rule can match. */
  definition: string | null;
}

/** One detection rule as it is stored in the catalog. Dates are YYYY-MM-DD. */
export interface SigmaRule {
  rule_id: string;
  title: string;
  status: string | null;
  level: string | null;
  description: string | null;
  author: string | null;
  date: string | null;
  modified: string | null;
  tags: string[];
  logsource: LogSource;
  detection: Detection;
  detection_summary: string;
  references: string[];
  falsepositives: string[];
  license: string;
  source_url: string;
  attack_techniques: string[];
  cve_ids: string[];
}

/** A YAML document as a rule; `path` is its path in the repository. Throws an `Error` with the reason if it is not a rule. */
export function parseRule(document: unknown, path: string): SigmaRule {
  if (!isMapping(document)) throw new Error('not a mapping');
  if ('correlation' in document) throw new Error('a correlation of other rules, without a detection of its own');
  const id = boundedText(document['id'], LIMITS.word)?.toLowerCase();
  if (id === undefined) throw new Error('no id');
  if (!UUID.test(id)) throw new Error('the id is no UUID');
  const title = boundedText(document['title'], LIMITS.title);
  if (title === null) throw new Error('no title');
  const detection = parseDetection(document['detection']);
  const description = boundedText(document['description'], LIMITS.description);
  const tags = boundedTexts(document['tags'], LIMITS.tags);
  return {
    rule_id: id,
    title,
    status: shortText(document['status']),
    level: shortText(document['level']),
    description,
    author: boundedText(document['author'], LIMITS.author),
    date: parseDay(document['date']),
    modified: parseDay(document['modified']),
    tags,
    logsource: logSourceOf(document['logsource']),
    detection,
    detection_summary: summarizeDetection(detection),
    references: boundedTexts(document['references'], LIMITS.references),
    falsepositives: boundedTexts(document['falsepositives'], LIMITS.falsepositives),
    license: boundedText(document['license'], LIMITS.word) ?? DEFAULT_LICENSE,
    source_url: `${REPOSITORY}${path.split('/').map(encodeURIComponent).join('/')}`,
    attack_techniques: unique(tags.map((tag) => ATTACK_TAG.exec(tag)?.[1]?.toUpperCase())),
    cve_ids: cveIdsOf(tags, `${title}\n${description ?? ''}`),
  };
}

/** Links of a rule. A sub-technique also links to its parent, so that T1059 finds rules of T1059.001. */
export function ruleLinks({ attack_techniques, cve_ids, logsource, status, level }: SigmaRule): DocumentLink[] {
  const techniques = attack_techniques.flatMap((id) => [id, id.split('.')[0]!]);
  const links: [string, string | null][] = [
    ...unique(techniques).map((id): [string, string] => ['technique', id]),
    ...cve_ids.map((id): [string, string] => ['cve', id]),
    ['logsource_product', logsource.product],
    ['logsource_category', logsource.category],
    ['status', status],
    ['level', level],
  ];
  return links.flatMap(([kind, value]) => (value === null ? [] : [{ kind, value }]));
}

/** CVEs in the rule's tags, title and description. References are not used: they are often only background. */
function cveIdsOf(tags: readonly string[], text: string): string[] {
  const found = [
    ...tags.map((tag) => CVE_TAG.exec(tag)).filter((match) => match !== null),
    ...text.matchAll(CVE_IN_TEXT),
  ];
  return unique(found.map(([, year, number]) => canonicalCveId(`CVE-${year}-${number}`)));
}

function logSourceOf(raw: unknown): LogSource {
  const source = isMapping(raw) ? raw : {};
  return {
    product: shortText(source['product']),
    category: shortText(source['category']),
    service: shortText(source['service']),
    definition: boundedText(source['definition'], LIMITS.definition),
  };
}

/** A term of the Sigma vocabulary. */
function shortText(value: unknown): string | null {
  return boundedText(value, LIMITS.word);
}

/** `2024-01-31` from that form or the older `2024/01/31`; null if there is no such day. */
function parseDay(value: unknown): string | null {
  const [, year, month, day] = (typeof value === 'string' ? DATE.exec(value.trim()) : null) ?? [];
  if (year === undefined) return null;
  const date = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  return z.iso.date().safeParse(date).success ? date : null;
}

function unique(texts: readonly (string | null | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => typeof text === 'string'))];
}
