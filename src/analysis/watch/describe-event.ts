import { changePhrase } from '../cve/describe-change.ts';
import type { ChangedValue, FieldChange } from '../cve/field-change.ts';
import { displayLine, summarizeList } from '../display-text.ts';
import type { ToldChange, WatchEvent, WatchSubject } from './watch.ts';

/** What is decided of one product or package of a watch, as `affected_check` says it. */
export interface WatchedDecision {
  /** `lodash`, `apache log4j`. */
  name: string;
  version: string | null;
  status: NonNullable<WatchEvent['status']>;
  reason: string;
  rule: { source: string | null; kind: string; text: string };
  fixed_in: string | null;
}

const MAX_NAME = 100;
const MAX_REASON = 200;
const MAX_SENTENCES = 3;
const MAX_COMPONENTS_SHOWN = 5;
const SOURCE_NAMES: Readonly<Record<string, string>> = {
  nvd: 'NVD',
  cvelist: 'CVE List',
  ghsa: 'GitHub advisories',
  osv: 'OSV',
  kev: 'CISA known-exploited catalog',
  epss: 'EPSS',
  exploitdb: 'Exploit-DB',
  csaf: 'CSAF',
  vex: 'VEX',
};

/** Why a CVE concerns a watch, as one sentence. `decisions`: of the version or the components that are watched, affected ones first. */
export function describeWhy(
  cveId: string,
  subject: WatchSubject,
  decisions: readonly WatchedDecision[],
  wasTold: boolean,
): string {
  switch (subject.kind) {
    case 'cve':
      return `${cveId} is watched.`;
    case 'vendor':
      return `${cveId} names a product of ${displayLine(subject.vendor, MAX_NAME)}.`;
    case 'search':
      return `${cveId} matches the search ${describeFilters(subject.filters)}.`;
    case 'components':
      return describeComponents(cveId, decisions, wasTold);
    default:
      return decisions.length === 0 ? `${cveId} is watched.` : describeDecision(cveId, decisions[0]!, wasTold);
  }
}

function describeComponents(cveId: string, decisions: readonly WatchedDecision[], wasTold: boolean): string {
  const [first, second] = decisions;
  if (first === undefined) return `${cveId} names a component.`;
  if (second === undefined) return describeDecision(cveId, first, wasTold);
  const affected = decisions.filter(({ status }) => status === 'affected');
  const shown = (affected.length > 0 ? affected : decisions).map(
    ({ name, version, fixed_in }) =>
      `${labelOf(name, version)}${fixed_in === null ? '' : ` (fixed in ${displayLine(fixed_in, MAX_NAME)})`}`,
  );
  const list = summarizeList(shown, MAX_COMPONENTS_SHOWN, 2 * MAX_NAME);
  if (affected.length > 0) return `${affected.length} of ${decisions.length} named components are affected: ${list}.`;
  const unknown = decisions.some(({ status }) => status === 'unknown');
  return unknown
    ? `Whether ${decisions.length} named components are affected is not known: ${list}.`
    : `None of ${decisions.length} named components is affected${wasTold ? ' any more' : ''}: ${list}.`;
}

function describeDecision(
  cveId: string,
  { name, version, status, reason, rule, fixed_in }: WatchedDecision,
  wasTold: boolean,
): string {
  const label = labelOf(name, version);
  const why = displayLine(reason, MAX_REASON);
  const fix = fixed_in === null ? '' : `, fixed in ${displayLine(fixed_in, MAX_NAME)}`;
  if (rule.kind === 'none' && status !== 'not_affected')
    return wasTold ? `${cveId} does not name ${label} any more: ${why}.` : `${cveId} may be about ${label}: ${why}.`;
  if (version === null && status !== 'not_affected') return `${cveId} names ${label}${fix} (${describeRule(rule)}).`;
  if (status === 'affected') return `${label} is affected: ${why} (${describeRule(rule)})${fix}.`;
  if (status === 'not_affected') return `${label} is ${wasTold ? 'no longer' : 'not'} affected: ${why}.`;
  return `Whether ${label} is affected is not known: ${why}.`;
}

/** `npm advisory GHSA-...`: who decided. */
function describeRule({ source, kind, text }: WatchedDecision['rule']): string {
  const name = source === null ? 'no source' : (SOURCE_NAMES[source] ?? source);
  if (kind === 'advisory') return `advisory ${displayLine(text.split(':', 1)[0]!, MAX_NAME)}`;
  return kind === 'vex' ? 'its maker' : name;
}

function labelOf(name: string, version: string | null): string {
  return displayLine(version === null ? name : `${name} ${version}`, MAX_NAME);
}

function describeFilters(filters: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(filters).map(([name, value]) => `${name} ${String(value)}`);
  return summarizeList(parts, MAX_COMPONENTS_SHOWN, MAX_NAME);
}

/** What is most urgent comes first. */
const URGENCY: readonly FieldChange['kind'][] = [
  'kev',
  'exploit',
  'ssvc',
  'status',
  'score',
  'epss',
  'fix',
  'advisory',
  'record',
  'product',
  'weakness',
  'reference',
];

/** What changed, most urgent first: the first ones as a sentence each, and how many more. At least one change is given. */
export function describeWhat(changes: readonly ToldChange[]): string {
  const sentences = changes
    .toSorted((a, b) => URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind))
    .map((change) => displayLine(sentenceOf(change), MAX_REASON));
  const shown = [...new Set(sentences)].slice(0, MAX_SENTENCES);
  const more = new Set(sentences).size - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more change${more === 1 ? '' : 's'}.`] : [])].join(' ');
}

function sentenceOf(change: ToldChange): string {
  const { kind, field, before, after, source } = change;
  const by = SOURCE_NAMES[source] ?? source;
  switch (kind) {
    case 'kev':
      return sentenceOfKev(change);
    case 'exploit':
      return after === null
        ? `Exploit ${field} is no longer in Exploit-DB.`
        : `Public exploit ${field}${date(part(after, 'date_published'), ' of ')}: ${text(part(after, 'title'))}.`;
    case 'epss':
      return before === null
        ? `EPSS ${percent(after)}${date(change.at, ' on ')}: the first score.`
        : `EPSS ${Number(after) > Number(before) ? 'rose' : 'fell'} from ${percent(before)} to ${percent(after)}${date(change.at, ' on ')}.`;
    case 'score':
      return before === null
        ? `Scored ${scoreOf(after)} by ${field}.`
        : after === null
          ? `${field} no longer scores it (it was ${scoreOf(before)}).`
          : `${field} changed from ${scoreOf(before)} to ${scoreOf(after)}.`;
    case 'ssvc':
      return `CISA's assessment (SSVC): ${field.replaceAll('_', ' ')} ${before === null ? text(after) : `from ${text(before)} to ${text(after)}`}.`;
    case 'status':
      return text(after).toLowerCase() === 'rejected'
        ? `Rejected, says ${by}${date(change.at, ' of ')}.`
        : `${field === 'status' ? 'Status' : 'Tags'} of ${by} changed from ${text(before)} to ${text(after)}.`;
    case 'record':
      return after === null ? `${by} has no record any more.` : `New in ${by}${date(change.at, ', ')}.`;
    case 'advisory':
      return sentenceOfAdvisory(change);
    case 'fix':
      return sentenceOfFix(change, by);
    case 'product':
      return sentenceOfProduct(change, by);
    default:
      return `${by}: ${changePhrase(change)}.`;
  }
}

function sentenceOfKev({ change, field, before, after }: ToldChange): string {
  if (change === 'removed') return 'No longer in the known-exploited catalog.';
  if (change === 'added') {
    const due = part(after, 'due_date');
    const ransomware = part(after, 'known_ransomware_use') === true ? ' Used by ransomware.' : '';
    return `Known exploited${date(part(after, 'date_added'), ' since ')}${date(due, ', to be mended by ')}.${ransomware}`;
  }
  if (field === 'known_ransomware_use')
    return after === true ? 'Now known to be used by ransomware.' : 'No longer known to be used by ransomware.';
  if (field === 'due_date') return `Due date for mending changed from ${text(before)} to ${text(after)}.`;
  const name = field.replaceAll('_', ' ');
  return before === null || after === null
    ? `Known-exploited catalog: ${name} ${after === null ? 'removed' : 'added'}.`
    : `Known-exploited catalog: ${name} changed from ${text(before)} to ${text(after)}.`;
}

function sentenceOfAdvisory({ field, before, after }: ToldChange): string {
  if (after === null) return `Advisory ${field} is gone.`;
  const severity = part(after, 'severity');
  const withdrawn = part(after, 'withdrawn');
  if (before === null) return `New advisory ${field}${severity === null ? '' : `, severity ${text(severity)}`}.`;
  if (withdrawn !== null && part(before, 'withdrawn') === null) return `Advisory ${field} was withdrawn.`;
  return `Severity in advisory ${field} changed from ${text(part(before, 'severity'))} to ${text(severity)}.`;
}

function sentenceOfFix({ field, before, after }: ToldChange, by: string): string {
  if (field === 'patch_available') {
    return after === true ? `A patch is available, says ${by}.` : `No patch is known any more, says ${by}.`;
  }
  const of = field === 'versions' ? '' : ` for ${field}`;
  if (after === null) return `No fixed version${of} is known any more (it was ${text(before)}).`;
  return before === null
    ? `Fixed${of} in ${text(after)}.`
    : `Fixed version${of} changed from ${text(before)} to ${text(after)}.`;
}

function sentenceOfProduct({ change, field, before, after }: ToldChange, by: string): string {
  if (change === 'added') return `${by} now names ${field}: ${text(after)}.`;
  if (change === 'removed') return `${by} no longer names ${field}.`;
  const parts = [before === null ? null : `no longer ${text(before)}`, after === null ? null : `now ${text(after)}`];
  return `Affected versions of ${field}: ${parts.filter((one) => one !== null).join(', ')}.`;
}

function part(value: ChangedValue, name: string): ChangedValue {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? ((value as Readonly<Record<string, ChangedValue>>)[name] ?? null)
    : null;
}

function text(value: ChangedValue): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return summarizeList(value, MAX_SENTENCES);
  return typeof value === 'object' ? JSON.stringify(value) : displayLine(String(value), MAX_NAME);
}

/** The day of a time or a day, after these words; empty where there is none. */
function date(value: ChangedValue, before: string): string {
  return typeof value === 'string' && value !== '' ? `${before}${value.slice(0, 10)}` : '';
}

function percent(score: ChangedValue): string {
  return `${(Number(score) * 100).toFixed(1)} %`;
}

/** `9.8 (CRITICAL)`. */
function scoreOf(value: ChangedValue): string {
  const [score, severity] = [part(value, 'score'), part(value, 'severity')];
  if (score === null) return severity === null ? 'without a score' : text(severity);
  return severity === null ? text(score) : `${text(score)} (${text(severity)})`;
}
