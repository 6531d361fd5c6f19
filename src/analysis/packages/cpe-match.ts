import { type CpeName, cpeToken, parseCpe } from '../cve/cpe.ts';
import type { ProductFact } from '../cve/facts.ts';
import { genericOrder } from '../versions/generic.ts';
import type { VersionOrder } from '../versions/order.ts';
import type { Ecosystem } from './ecosystems.ts';
import type { CpeMatch } from './findings.ts';
import { parseGivenVersion } from './package-ref.ts';
import { holds } from './spans.ts';

/** A package as CPE names may name it: by tokens of its product, and, in an ecosystem, for its software alone. */
export interface CpeQuestion {
  tokens: string[];
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

/** Null where CPE names cannot be matched: they do not say which ecosystem they are of, or the version is none. */
export function cpeQuestion(name: string, version: string, ecosystem: Ecosystem | null): CpeQuestion | null {
  if (ecosystem !== null && ecosystem.targetSoftware.length === 0) return null;
  const order = ecosystem?.order ?? genericOrder;
  const parsed = parseGivenVersion(version, order);
  if (parsed === null) return null;
  const token = cpeToken(name);
  const tokens = new Set([token, token.replaceAll('-', '_'), token.replaceAll('_', '-')]);
  const plain = UPDATED.exec(version)?.[1];
  const withoutUpdate = plain === undefined ? null : order.parse(plain);
  return {
    tokens: [...tokens],
    order,
    version: parsed,
    withoutUpdate,
    targetSoftware: ecosystem?.targetSoftware ?? null,
  };
}

/** The first of a CVE's rows that holds the version; null where none does. */
export function matchCpeRows(cveId: string, rows: readonly ProductFact[], question: CpeQuestion): CpeMatch | null {
  for (const row of rows) {
    const name = row.cpe === null ? null : parseCpe(row.cpe);
    if (name !== null && isMeant(name, question) && isHeld(row, name, question)) {
      return { cve_id: cveId, cpe: row.cpe!, fixed: row.end_excluding };
    }
  }
  return null;
}

function isMeant({ part, target_sw }: CpeName, { targetSoftware }: CpeQuestion): boolean {
  if (part !== 'a') return false;
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
