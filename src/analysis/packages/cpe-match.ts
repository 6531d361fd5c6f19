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
  /** Null: for any software. */
  targetSoftware: readonly string[] | null;
}

/** Null where CPE names cannot be matched: they do not say which ecosystem they are of, or the version is none. */
export function cpeQuestion(name: string, version: string, ecosystem: Ecosystem | null): CpeQuestion | null {
  if (ecosystem !== null && ecosystem.targetSoftware.length === 0) return null;
  const order = ecosystem?.order ?? genericOrder;
  const parsed = parseGivenVersion(version, order);
  if (parsed === null) return null;
  const token = cpeToken(name);
  const tokens = new Set([token, token.replaceAll('-', '_'), token.replaceAll('_', '-')]);
  return { tokens: [...tokens], order, version: parsed, targetSoftware: ecosystem?.targetSoftware ?? null };
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

function isHeld(row: ProductFact, name: CpeName, { order, version }: CpeQuestion): boolean {
  if (name.version === '-') return false;
  if (name.version === null) return holds(row, version, order);
  const update = name.update === null || name.update === '-' ? '' : `-${name.update}`;
  const exact = order.parse(`${name.version}${update}`);
  return exact !== null && order.compare(exact, version) === 0;
}
