import { type CpeName, normalizeCpeToken, parseCpe, parseCpeLenient } from '../cve/cpe.ts';
import type { CveProduct } from '../cve/cve-facts.ts';
import { genericOrder } from '../versions/generic.ts';
import type { VersionOrder } from '../versions/version-order.ts';
import type { Ecosystem } from './ecosystems.ts';
import type { CpeMatch } from './package-vulnerabilities.ts';
import { type PackageRef, parsePlainVersion } from './package-ref.ts';
import { isInRange } from './affected-range.ts';

/** A package as CPE names may name it: by tokens of its product, and, in an ecosystem, for its software alone. */
export interface CpeQuery {
  tokens: string[];
  /** Null: of any vendor. */
  vendor: string | null;
  part: CpeName['part'];
  order: VersionOrder;
  version: unknown;
  /** The version without what CPE names as its update (`rc1`, `sp2`); null: it has no such part. */
  versionWithoutUpdate: unknown;
  /** Null: for any software. */
  targetSoftware: readonly string[] | null;
}

/** Numbers, and behind them the words that CPE has in its update component; a letter alone is part of the version (`1.0.2a`). */
const VERSION_WITH_UPDATE =
  /^(v?\d+(?:\.\d+)*)[-_.+~]?(?:(?:alpha|beta|canary|cr|dev|final|ga|milestone|nightly|patch|pl|post|pre|preview|rc|snapshot|sp|update)(?![a-z])|[abmpru](?=\d))[\w.-]*$/i;

/** A row of a CVE with its name parsed, which is done once for all questions about it. */
export interface ParsedCpeRow {
  row: CveProduct;
  cpeName: CpeName;
}

/**
 * Null where CPE names cannot be matched: they do not say which ecosystem they are of, or the version cannot be read. A package whose
 * document gives a CPE name is asked for by its vendor and product.
 */
export function createCpeQuery(
  { name, version, cpe }: Pick<PackageRef, 'name' | 'version' | 'cpe'>,
  ecosystem: Ecosystem | null,
): CpeQuery | null {
  if (ecosystem !== null && ecosystem.targetSoftware.length === 0) return null;
  const order = ecosystem?.order ?? genericOrder;
  const parsed = parsePlainVersion(version, order);
  if (parsed === null) return null;
  const plain = VERSION_WITH_UPDATE.exec(version)?.[1];
  const withoutUpdate = plain === undefined ? null : order.parse(plain);
  const given = ecosystem === null && cpe !== undefined ? parseCpeLenient(cpe) : null;
  if (given !== null) {
    const vendor = given.vendor === '*' || given.vendor === '' ? null : normalizeCpeToken(given.vendor);
    const tokens = [normalizeCpeToken(given.product)];
    return {
      tokens,
      vendor,
      part: given.part,
      order,
      version: parsed,
      versionWithoutUpdate: withoutUpdate,
      targetSoftware: null,
    };
  }
  const token = normalizeCpeToken(name);
  const tokens = new Set([token, token.replaceAll('-', '_'), token.replaceAll('_', '-')]);
  const targetSoftware = ecosystem?.targetSoftware ?? null;
  return {
    tokens: [...tokens],
    vendor: null,
    part: 'a',
    order,
    version: parsed,
    versionWithoutUpdate: withoutUpdate,
    targetSoftware,
  };
}

export function parseCpeRows(rows: readonly CveProduct[]): ParsedCpeRow[] {
  return rows.flatMap((row) => {
    const name = row.cpe === null ? null : parseCpe(row.cpe);
    return name === null ? [] : [{ row, cpeName: name }];
  });
}

/** The first of a CVE's rows that holds the version; null where none does. */
export function matchCpeRows(cveId: string, rows: readonly ParsedCpeRow[], question: CpeQuery): CpeMatch | null {
  for (const { row, cpeName } of rows) {
    if (namesPackage(cpeName, question) && containsVersion(row, cpeName, question)) {
      return { cve_id: cveId, cpe: row.cpe!, fixed: row.end_excluding };
    }
  }
  return null;
}

function namesPackage({ part, vendor, target_sw }: CpeName, question: CpeQuery): boolean {
  if (part !== question.part) return false;
  if (question.vendor !== null && normalizeCpeToken(vendor) !== question.vendor) return false;
  const { targetSoftware } = question;
  return targetSoftware === null || (target_sw !== null && targetSoftware.includes(target_sw.toLowerCase()));
}

/** An update of "any" takes in every update of the version (NISTIR 7696, section 6.2, table 6-2). */
function containsVersion(row: CveProduct, name: CpeName, { order, version, versionWithoutUpdate }: CpeQuery): boolean {
  if (name.version === '-') return false;
  if (name.version === null) return isInRange(row, version, order);
  const update = name.update === null || name.update === '-' ? '' : `-${name.update}`;
  const exact = order.parse(`${name.version}${update}`);
  if (exact === null) return false;
  if (order.compare(exact, version) === 0) return true;
  return name.update === null && versionWithoutUpdate !== null && order.compare(exact, versionWithoutUpdate) === 0;
}
