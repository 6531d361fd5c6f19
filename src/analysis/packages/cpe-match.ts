import { type CpeName, cpeToken, parseCpe, readCpe } from '../cve/cpe.ts';
import type { ProductFact } from '../cve/facts.ts';
import { genericOrder } from '../versions/generic.ts';
import type { VersionOrder } from '../versions/order.ts';
import type { Ecosystem } from './ecosystems.ts';
import type { CpeMatch } from './findings.ts';
import { type PackageRef, parseGivenVersion } from './package-ref.ts';
import { holds } from './spans.ts';

/** A package as CPE names may name it: by tokens of its product, and, in an ecosystem, for its software alone. */
export interface CpeQuestion {
  tokens: string[];
  /** Null: of any vendor. */
  vendor: string | null;
  part: CpeName['part'];
  order: VersionOrder;
  version: unknown;
  /** The version without what CPE names as its update (`rc1`, `sp2`); null: it has no such part. */
  withoutUpdate: unknown;
  /** Null: for any software. */
  targetSoftware: readonly string[] | null;
}

/** Numbers, and behind them the words that CPE has in its update component; a letter alone is part of the version (`1.0.2a`). */
const UPDATED =
  /^(v?\d+(?:\.\d+)*)[-_.+~]?(?:(?:alpha|beta|canary|cr|dev|final|ga|milestone|nightly|patch|pl|post|pre|preview|rc|snapshot|sp|update)(?![a-z])|[abmpru](?=\d))[\w.-]*$/i;

/** A row of a CVE with its name parsed, which is done once for all questions about it. */
export interface NamedRow {
  row: ProductFact;
  name: CpeName;
}

/**
 * Null where CPE names cannot be matched: they do not say which ecosystem they are of, or the version cannot be read. A package whose
 * document gives a CPE name is asked for by its vendor and product.
 */
export function cpeQuestion(
  { name, version, cpe }: Pick<PackageRef, 'name' | 'version' | 'cpe'>,
  ecosystem: Ecosystem | null,
): CpeQuestion | null {
  if (ecosystem !== null && ecosystem.targetSoftware.length === 0) return null;
  const order = ecosystem?.order ?? genericOrder;
  const parsed = parseGivenVersion(version, order);
  if (parsed === null) return null;
  const plain = UPDATED.exec(version)?.[1];
  const withoutUpdate = plain === undefined ? null : order.parse(plain);
  const given = ecosystem === null && cpe !== undefined ? readCpe(cpe) : null;
  if (given !== null) {
    const vendor = given.vendor === '*' || given.vendor === '' ? null : cpeToken(given.vendor);
    const tokens = [cpeToken(given.product)];
    return { tokens, vendor, part: given.part, order, version: parsed, withoutUpdate, targetSoftware: null };
  }
  const token = cpeToken(name);
  const tokens = new Set([token, token.replaceAll('-', '_'), token.replaceAll('_', '-')]);
  const targetSoftware = ecosystem?.targetSoftware ?? null;
  return { tokens: [...tokens], vendor: null, part: 'a', order, version: parsed, withoutUpdate, targetSoftware };
}

export function namedRows(rows: readonly ProductFact[]): NamedRow[] {
  return rows.flatMap((row) => {
    const name = row.cpe === null ? null : parseCpe(row.cpe);
    return name === null ? [] : [{ row, name }];
  });
}

/** The first of a CVE's rows that holds the version; null where none does. */
export function matchCpeRows(cveId: string, rows: readonly NamedRow[], question: CpeQuestion): CpeMatch | null {
  for (const { row, name } of rows) {
    if (isMeant(name, question) && isHeld(row, name, question)) {
      return { cve_id: cveId, cpe: row.cpe!, fixed: row.end_excluding };
    }
  }
  return null;
}

function isMeant({ part, vendor, target_sw }: CpeName, question: CpeQuestion): boolean {
  if (part !== question.part) return false;
  if (question.vendor !== null && cpeToken(vendor) !== question.vendor) return false;
  const { targetSoftware } = question;
  return targetSoftware === null || (target_sw !== null && targetSoftware.includes(target_sw.toLowerCase()));
}

/** An update of "any" takes in every update of the version (NISTIR 7696, section 6.2, table 6-2). */
function isHeld(row: ProductFact, name: CpeName, { order, version, withoutUpdate }: CpeQuestion): boolean {
  if (name.version === '-') return false;
  if (name.version === null) return holds(row, version, order);
  const update = name.update === null || name.update === '-' ? '' : `-${name.update}`;
  const exact = order.parse(`${name.version}${update}`);
  if (exact === null) return false;
  if (order.compare(exact, version) === 0) return true;
  return name.update === null && withoutUpdate !== null && order.compare(exact, withoutUpdate) === 0;
}
