import { createSubject } from '../../../analysis/affected/subject.ts';
import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import { detectTextKind } from '../../../analysis/detect-text-kind.ts';
import { parseIndicator } from '../../../analysis/indicators/parse-indicator.ts';
import { packageLabel, type PackageRef, parsePackageInput } from '../../../analysis/packages/package-ref.ts';
import type { WatchedComponent, WatchSubject } from '../../../analysis/watch/watch.ts';
import { componentOfPackage, componentOfText, watchedPurl } from '../../../analysis/watch/watched-names.ts';
import { validationError } from '../../../engine/input/parse-input.ts';
import { quoteInput } from '../../../engine/input/identifiers.ts';
import { formatCount, formatNumber } from '../../../engine/summary.ts';
import { MAX_COMPONENTS } from '../../../engine/watch-book.ts';
import type { ApiError } from '../../../errors.ts';
import { runTask } from '../../../threads/run-task.ts';
import { rejectContradictoryRanges } from '../../cve/lib/cve-filters.ts';
import type { SubjectInput } from './watch-fields.ts';

/** What is to be watched, and what of the input could not be understood. */
interface ReadSubject {
  subject: WatchSubject;
  gaps: string[];
}

/** The fields of which one is given, each with the kind of its subject. `product` and `vendor` may go together. */
const MAIN_FIELDS = {
  cve_id: 'cve',
  purl: 'package',
  cpe: 'product',
  product: 'product',
  filters: 'search',
  components: 'components',
  document: 'components',
  domain: 'domain',
  indicator: 'indicator',
} as const satisfies Record<string, WatchSubject['kind']>;
type MainField = keyof typeof MAIN_FIELDS;

const MAX_LISTED = 5;

/** Reads and checks a subject. Throws `ApiError` 422 that names the field and what would be right. */
async function readSubject(input: SubjectInput): Promise<ReadSubject> {
  const given = (Object.keys(MAIN_FIELDS) as MainField[]).filter((name) => input[name] !== undefined);
  const field = given[0] ?? (input.vendor == null ? null : 'vendor');
  if (field === null || given.length > 1) {
    const found = given.length > 1 ? `${given.join(' and ')} are there` : 'none is there';
    throw subjectError([], `give exactly one of ${Object.keys(MAIN_FIELDS).join(', ')}, vendor: ${found}`);
  }
  rejectOtherFields(input, field);
  const kind = field === 'vendor' ? 'vendor' : MAIN_FIELDS[field];
  if (input.kind !== undefined && input.kind !== kind)
    throw subjectError(['kind'], `${field} is of a subject of kind ${kind}, not ${input.kind}: leave kind out`);
  switch (field) {
    case 'document':
      return readDocument(input.document!, input.filename ?? '');
    case 'components':
      return { subject: { kind: 'components', components: readComponents(input.components!) }, gaps: [] };
    default:
      return { subject: readSimple(field, input), gaps: [] };
  }
}

/** Fields that go with others alone. */
function rejectOtherFields(input: SubjectInput, field: MainField | 'vendor'): void {
  const goWith: Record<string, readonly string[]> = {
    version: ['purl', 'cpe', 'product'],
    vendor: ['product', 'vendor'],
    filename: ['document'],
  };
  for (const [name, fields] of Object.entries(goWith)) {
    if (input[name as keyof SubjectInput] != null && !fields.includes(field))
      throw subjectError([name], `it goes with ${fields.filter((one) => one !== name).join(', ')}, not with ${field}`);
  }
}

function readSimple(
  field: Exclude<MainField, 'document' | 'components'> | 'vendor',
  input: SubjectInput,
): WatchSubject {
  switch (field) {
    case 'cve_id':
      return { kind: 'cve', cve_id: input.cve_id! };
    case 'vendor':
      return { kind: 'vendor', vendor: normalizeCpeToken(input.vendor!) };
    case 'domain':
      return { kind: 'domain', domain: input.domain! };
    case 'indicator':
      return { kind: 'indicator', indicator: readIndicator(input.indicator!) };
    case 'filters':
      return { kind: 'search', filters: readFilters(input.filters!) };
    case 'purl':
    case 'cpe':
    case 'product':
      return readVersioned(input);
  }
}

/** A package or a product, by the rules of `affected_check`. */
function readVersioned({ purl, cpe, vendor, product, version }: SubjectInput): WatchSubject {
  const given = {
    ...(purl !== undefined && { purl }),
    ...(cpe !== undefined && { cpe }),
    ...(product !== undefined && { product, ...(vendor != null && { vendor }) }),
    ...(version != null && { version }),
  };
  const read = createSubject(given);
  if ('problem' in read) throw subjectError([read.field], read.problem);
  if (purl !== undefined) return { kind: 'package', purl: watchedPurl(purl)!, version: read.version };
  const { names } = read;
  return { kind: 'product', vendor: names!.vendor, product: names!.tokens[0]!, version: read.version };
}

function readIndicator(text: string): string {
  const indicator = parseIndicator(text.trim());
  if (indicator !== null) return indicator.value;
  throw subjectError(
    ['indicator'],
    `${quoteInput(text)} is no indicator: a public IP address, a domain, an http(s) or ftp URL, an MD5, SHA-1 or SHA-256 hash`,
  );
}

/** Without filters that are at their default: `false`. */
function readFilters(filters: NonNullable<SubjectInput['filters']>): Record<string, unknown> {
  rejectContradictoryRanges(filters);
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== false);
  if (given.length > 0) return Object.fromEntries(given);
  throw subjectError(['filters'], 'give at least one filter: the operation changes has what changes about all CVEs');
}

function readComponents(texts: readonly string[]): WatchedComponent[] {
  requireFewComponents(['components'], texts.length);
  return texts.map((text, at) => {
    const component = componentOfText(text.trim());
    if (component !== null) return component;
    const { problem } = text.startsWith('pkg:') ? parsePackageInput(text) : {};
    throw subjectError(
      ['components', at],
      `${quoteInput(text)}: ${problem ?? 'a package URL (pkg:npm/lodash@4.17.20) or a CPE name with a product'}`,
    );
  });
}

/** Names and versions of the packages of a lockfile, an SBOM or a list. */
async function readDocument(document: string, filename: string): Promise<ReadSubject> {
  const kind = detectTextKind(document, filename);
  switch (kind.kind) {
    case 'packages':
      return ofPackages(
        kind.packages.map((text) => parsePackageInput(text)),
        [],
      );
    case 'lockfile':
    case 'sbom': {
      const size = { inputSize: document.length };
      const { read, error } =
        kind.kind === 'sbom'
          ? await runTask('sbom', { document }, size)
          : await runTask('lockfile', { text: document, filename: filename === '' ? kind.format : filename }, size);
      if (read === null) throw subjectError(['document'], error);
      return ofPackages(read.packages, read.gaps);
    }
    case 'unsupported':
      throw subjectError(['document'], kind.why);
    default:
      throw subjectError(['document'], 'it is neither a lockfile nor an SBOM that is known here: give its filename');
  }
}

function ofPackages(packages: readonly PackageRef[], gaps: readonly string[]): ReadSubject {
  const read = packages.map((ref) => ({ ref, component: componentOfPackage(ref) }));
  const components = read.flatMap(({ component }) => component ?? []);
  const left = read.filter(({ component }) => component === null).map(({ ref }) => packageLabel(ref));
  if (components.length === 0) {
    const why =
      packages.length === 0 ? 'it names no packages' : 'it names no package with a version that can be watched';
    throw subjectError(['document'], why);
  }
  requireFewComponents(['document'], components.length);
  const names = left.slice(0, MAX_LISTED).join(', ') + (left.length > MAX_LISTED ? ', ...' : '');
  return {
    subject: { kind: 'components', components },
    gaps:
      left.length === 0 ? [...gaps] : [...gaps, `${formatCount(left.length, 'package')} cannot be watched: ${names}`],
  };
}

function requireFewComponents(path: (string | number)[], count: number): void {
  if (count > MAX_COMPONENTS)
    throw subjectError(
      path,
      `${formatNumber(count)} components are too many for one watch: at most ${formatNumber(MAX_COMPONENTS)}`,
    );
}

function subjectError(path: (string | number)[], msg: string): ApiError {
  return validationError([{ loc: ['body', 'subject', ...path], msg, type: 'value_error' }]);
}

/** Input whose subject may have been read already, before the price of the call was known. */
interface WithSubject {
  subject?: SubjectInput | undefined;
}
const readSubjects = new WeakMap<SubjectInput, Promise<ReadSubject>>();

/** `prepareInput` of operations that take a subject: a document is read before the call is charged. */
export async function prepareSubject(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { subject } = input as WithSubject;
  if (subject !== undefined) await subjectOf(subject);
  return input;
}

export function isSubjectQuick(input: Record<string, unknown>): boolean {
  return (input as WithSubject).subject?.document === undefined;
}

/** As `readSubject`, once for each input. */
export function subjectOf(input: SubjectInput): Promise<ReadSubject> {
  let read = readSubjects.get(input);
  if (read === undefined) {
    read = readSubject(input);
    readSubjects.set(input, read);
  }
  return read;
}
