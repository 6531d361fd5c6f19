import { type CpeName, normalizeCpeToken, parseCpe } from '../cve/cpe.ts';
import type { CveProduct } from '../cve/cve-facts.ts';
import { ecosystemOfWord, findEcosystem } from '../packages/ecosystems.ts';
import { isOperatingSystem, isSamePlatform } from './platform.ts';
import type { Subject } from './subject.ts';
import { describeRange, hasRange, testExactVersion, testRange, type VersionTest } from './test-version.ts';
import { allOf, type Finding, type Outcome } from './truth.ts';

/** A row of a CVE, parsed once for all subjects; its CPE name only if it is asked for, because most rows name other products. */
export class ProductRow {
  readonly row: CveProduct;
  /** The product in the form of `normalizeCpeToken`; '' where there is none. */
  readonly token: string;
  #name: CpeName | null | undefined;
  #vendor: string | undefined;
  #plain: ProductRow | null | undefined;

  constructor(row: CveProduct) {
    this.row = row;
    this.token = rowProduct(row.cpe, row.product);
  }

  /** Null where the row has plain names. */
  get name(): CpeName | null {
    if (this.#name === undefined) this.#name = this.row.cpe === null ? null : parseCpe(this.row.cpe);
    return this.#name;
  }

  /** The row by its plain names; a version that only the CPE name has is kept. Null where it has no CPE name, or no plain one. */
  get plain(): ProductRow | null {
    const { row } = this;
    if (this.#plain === undefined) {
      this.#plain =
        row.cpe === null || row.product === null
          ? null
          : new ProductRow({ ...row, cpe: null, version: row.version ?? this.name?.version ?? null });
    }
    return this.#plain;
  }

  /** In the form of `normalizeCpeToken`; '' where there is none. */
  get vendor(): string {
    return (this.#vendor ??= normalizeCpeToken(this.name?.vendor ?? this.row.vendor ?? ''));
  }
}

/** The product of a row in the form of `normalizeCpeToken`: from its CPE name, else from its plain name; '' without both. */
export function rowProduct(cpe: string | null, product: string | null): string {
  return normalizeCpeToken(cpe === null ? (product ?? '') : productOfCpe(cpe));
}

/** The fifth component; '' where the text is no CPE name. */
function productOfCpe(cpe: string): string {
  if (cpe.includes('\\')) return parseCpe(cpe)?.product ?? '';
  let start = 0;
  for (let component = 0; component < 4; component++) {
    start = cpe.indexOf(':', start) + 1;
    if (start === 0) return '';
  }
  const end = cpe.indexOf(':', start);
  return cpe.slice(start, end === -1 ? undefined : end);
}

const NO_RANGE: VersionTest = { truth: null, unknown: 'no_range' };
const OTHER_NUMBERS: VersionTest = { truth: null, unknown: 'numbering' };

/** Whether a row with one of the subject's product tokens is about its product, regardless of version and edition. */
export function namesSubject({ row, name, vendor }: ProductRow, { names, ecosystem }: Subject): boolean {
  if (names === null) return false;
  // Plain names of packages are those of GitHub's advisories, which speak for themselves.
  if (name === null) {
    return (
      row.cpe === null &&
      ecosystem === null &&
      (names.vendor === null || vendor === '' || isSameVendor(vendor, names.vendor))
    );
  }
  const { part, target_sw } = name;
  if (names.part !== null && part !== null && part !== names.part) return false;
  if (names.vendor !== null && vendor !== names.vendor) return false;
  const { targetSoftware } = names;
  if (targetSoftware !== null) return targetSoftware.includes(target_sw?.toLowerCase() ?? '');
  if (ecosystem === null || target_sw === null) return true;
  const owner = ecosystemOfWord(target_sw);
  return owner === undefined || owner === ecosystem.name;
}

/**
 * Whether a vendor in plain words may be that of a CPE name, both in the form of `normalizeCpeToken`: `apache_software_foundation` is
 * `apache`, `wind_river` is `windriver`.
 */
export function isSameVendor(plain: string, cpeVendor: string): boolean {
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const expected = cpeVendor.split(/[^a-z0-9]+/).filter((word) => word !== '');
  return words.join('') === expected.join('') || expected.every((word) => words.includes(word));
}

/** CPE vendors that a vendor in plain words may be by `isSameVendor`: itself, without separators, each word, and two words that follow each other. */
export function vendorsMeantBy(plain: string): string[] {
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const pairs = words.slice(1).flatMap((word, at) => [`${words[at]}_${word}`, `${words[at]}-${word}`]);
  return [...new Set([plain, words.join('_'), words.join(''), ...words, ...pairs])];
}

/** The outcome of `matchProductRow` without its words: most rows do not decide. */
export function testProductRow(product: ProductRow, subject: Subject): Outcome {
  const test = testRowVersion(product, subject);
  const { name } = product;
  if (name === null || test.truth === false || !hasConditions(name)) return test;
  return allOf<Outcome>([test, ...editionConditions(name, subject)])!;
}

function hasConditions({ edition, sw_edition, target_hw, target_sw }: CpeName): boolean {
  return edition !== null || sw_edition !== null || target_hw !== null || target_sw !== null;
}

/** What a row that names the subject says about it. `describeAll`: the versions of all rows of the record that name it. */
export function matchProductRow(
  product: ProductRow,
  subject: Subject,
  describeAll: () => string = () => describeVersions(product),
): Finding {
  const { row, name } = product;
  const test = testRowVersion(product, subject);
  const range = describeRange(row);
  const shown = row.cpe ?? [row.vendor, row.product].filter((part) => part !== null).join(' ');
  const text = [shown, range === '' ? row.version : range].filter((part) => part !== null && part !== '').join(' ');
  const finding: Finding = {
    ...test,
    reason: describeTest(test, subject, describeVersions(product), describeAll),
    text,
    fixed: row.end_excluding,
    cpe: row.cpe,
  };
  if (name === null || test.truth === false) return finding;
  return allOf([finding, ...editionConditions(name, subject).map((part) => ({ ...finding, ...part }))])!;
}

function testRowVersion({ row, name }: ProductRow, subject: Subject): VersionTest {
  const { version, order, ecosystem } = subject;
  const rowOrder =
    ecosystem === null && row.ecosystem !== null ? (findEcosystem(row.ecosystem)?.order ?? order) : order;
  const namesVersions =
    hasRange(row) || row.version !== null || (name !== null && name.version !== null && name.version !== '-');
  if (subject.isSharedName === true && namesVersions && version !== null) return OTHER_NUMBERS;
  if (name !== null && name.version !== null && name.version !== '-') {
    return testExactVersion(name.version, name.update, version, rowOrder);
  }
  if (hasRange(row)) return testRange(row, version, rowOrder);
  return row.version === null ? NO_RANGE : testExactVersion(row.version, null, version, rowOrder);
}

/** The affected versions by a row: its range, or its one version with its update; '' for a row that names none. */
export function describeVersions({ row, name }: ProductRow): string {
  const range = describeRange(row);
  if (range !== '') return range;
  const { version, update } = name ?? { version: null, update: null };
  if (version === null || version === '-') return row.version ?? '';
  return update === null || update === '-' ? version : `${version} ${update}`;
}

function describeTest(
  { truth, unknown }: VersionTest,
  { version, isSharedName }: Pick<Subject, 'version' | 'isSharedName'>,
  versions: string,
  describeAll: () => string,
): string {
  switch (unknown) {
    case 'no_version':
      return `the version of the product is not given; affected: ${describeAll()}`;
    case 'condition':
      return `${versions} is affected, and which update of ${version} it is, is not given`;
    case 'numbering':
      return isSharedName === true
        ? `packages of several languages have this name and number their versions otherwise; affected: ${describeAll()}`
        : `the versions cannot be compared; affected: ${describeAll()}`;
    case 'unreadable':
      return `the versions cannot be compared; affected: ${describeAll()}`;
    case 'no_range':
      return 'named as affected, without its versions';
    case null:
      if (!truth) return `${version} is outside the affected versions: ${describeAll()}`;
      return `${version} is affected${versions === '' || versions === version ? '' : `: ${versions}`}`;
  }
}

type Condition = Pick<Finding, 'truth' | 'unknown' | 'reason'>;

const EDITION_FIELDS = [
  ['edition', 'edition'],
  ['sw_edition', 'edition'],
  ['target_hw', 'hardware'],
] as const;

/** Conditions of a CPE name beside its version: an edition, hardware, an operating system to run on. */
function editionConditions(name: CpeName, subject: Subject): Condition[] {
  const conditions = EDITION_FIELDS.flatMap(([field, word]) => {
    const required = name[field];
    const given = subject.edition[field];
    if (required === null || required === '-' || required === given) return [];
    if (given === null) return [conditionOf(null, `only its ${required} ${word}, and which one it is, is not given`)];
    return [conditionOf(false, `only its ${required} ${word}, not ${given}`)];
  });
  const { target_sw } = name;
  // Packages are asked for by the target software of their ecosystem.
  if (target_sw === null || target_sw === '-' || subject.names?.targetSoftware != null) return conditions;
  return [...conditions, ...targetSoftwareCondition(target_sw, subject)];
}

function targetSoftwareCondition(targetSoftware: string, { platform, edition }: Subject): Condition[] {
  const required = normalizeCpeToken(targetSoftware);
  if (edition.target_sw?.toLowerCase() === required) return [];
  const same = platform === null ? null : isSamePlatform(platform, required);
  if (same === true) return [];
  if (same === false || (edition.target_sw !== null && edition.target_sw !== '-')) {
    return [conditionOf(false, `only for ${required}`)];
  }
  // `wordpress` of a plugin says what kind of product it is; an operating system says where it has to run.
  return isOperatingSystem(required) ? [conditionOf(null, `only on ${required}, and the platform is not known`)] : [];
}

function conditionOf(truth: false | null, reason: string): Condition {
  return { truth, unknown: truth === null ? 'condition' : null, reason };
}

/** Whether the system that a row names is the one that the subject runs on. */
export function matchPlatformRow(product: ProductRow, subject: Subject): Finding {
  const { row, name, token } = product;
  const shown = name === null ? (row.product ?? '') : `${name.vendor}:${name.product}`;
  const finding = (truth: boolean | null): Finding => ({
    truth,
    unknown: truth === null ? 'condition' : null,
    reason: truth === null ? `only on ${shown}, and the platform is not known` : `${truth ? '' : 'only '}on ${shown}`,
    text: `running on ${row.cpe ?? shown}`,
    fixed: null,
    cpe: null,
  });
  // Firmware runs on the hardware that it is named after.
  if (name?.part === 'h' && subject.names?.tokens.includes(`${token}_firmware`)) return finding(true);
  if (subject.platform === null) return finding(null);
  const same = isSamePlatform(subject.platform, token);
  if (same !== true) return finding(same);
  const isAnyVersion = !hasRange(row) && (name === null || name.version === null || name.version === '-');
  if (isAnyVersion) return finding(true);
  const version = subject.platform.token === token ? subject.platform.version : null;
  return finding(testRowVersion(product, { ...subject, version }).truth);
}
