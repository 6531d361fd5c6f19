import type { FieldChange } from '../cve/field-change.ts';
import { compareSeverity, type Severity } from '../severity.ts';
import type { WatchConditions, WatchEvent } from './watch.ts';

/** How a CVE concerns a watch when one batch of changes of it was seen. */
export interface Concern {
  /** Of the version that is watched; null: the watch has none. */
  status: WatchEvent['status'];
  /** Whether the CVE is about what is watched, as it is known now. */
  isNamed: boolean;
  /** Whether these changes made it so: a product was added that is watched. */
  isNewlyNamed: boolean;
  /** The status that was told last of this CVE; null: it was never told. */
  told: { status: WatchEvent['status'] } | null;
}

/** What is known of the CVE now; null each: not known. */
export interface CveState {
  severity: Severity | null;
  kev: boolean | null;
}

/** Kinds that are told only where they are asked for. */
const QUIET_KINDS: ReadonlySet<FieldChange['kind']> = new Set(['weakness', 'reference']);

/**
 * Those of the changes of one CVE that are told; empty: nothing is. A severity that is not known counts as any. Whether a CVE is known
 * exploited is not known where no such catalog is loaded: a watch of known-exploited ones tells nothing then. An entry that left that catalog
 * is told to such a watch.
 */
export function selectToldChanges<Change extends FieldChange>(
  changes: readonly Change[],
  conditions: WatchConditions,
  cve: CveState,
  concern: Concern,
): Change[] {
  const { severity_min, kev_only } = conditions;
  if (severity_min !== null && cve.severity !== null && compareSeverity(cve.severity, severity_min) > 0) return [];
  if (kev_only && cve.kev !== true && !changes.some(isRemovedFromKev)) return [];
  if (!isTold(conditions, concern)) return [];
  return changes.filter((change) => isToldKind(change, conditions, concern) && isMoveOfWeight(change, conditions));
}

/** Whether what was told last decides with which changes, or whether at all, something is told. */
export function needsTold(changes: readonly FieldChange[], { affected }: WatchConditions, concern: Concern): boolean {
  return !concern.isNamed || !allows(affected, concern.status) || changes.some(({ kind }) => kind === 'product');
}

function isRemovedFromKev({ kind, change }: FieldChange): boolean {
  return kind === 'kev' && change === 'removed';
}

/** What the condition allows, and the end of what was told. */
function isTold({ affected }: WatchConditions, { status, isNamed, told }: Concern): boolean {
  if (isNamed && allows(affected, status)) return true;
  if (told === null) return false;
  if (status === null) return !isNamed;
  return told.status !== status && told.status !== 'not_affected';
}

function allows(affected: WatchConditions['affected'], status: WatchEvent['status']): boolean {
  if (status === null || affected === 'all') return true;
  return status === 'affected' || (affected === 'possible' && status === 'unknown');
}

function isToldKind({ kind }: FieldChange, { kinds }: WatchConditions, concern: Concern): boolean {
  if (kinds !== null) return kinds.includes(kind);
  return !QUIET_KINDS.has(kind) && (kind !== 'product' || changesStatus(concern));
}

/** Of what has no version: whether it is named at all. */
function changesStatus({ status, isNamed, isNewlyNamed, told }: Concern): boolean {
  if (status === null) return told === null ? isNewlyNamed : !isNamed;
  return told === null || told.status !== status;
}

function isMoveOfWeight({ kind, before, after }: FieldChange, { epss_move_min }: WatchConditions): boolean {
  if (kind !== 'epss' || epss_move_min === null) return true;
  const move = Math.abs(Number(after ?? 0) - Number(before ?? 0));
  // Scores have five decimals: 0.3 - 0.2 is 0.09999999999999998.
  return Math.round(move * 1e5) >= Math.round(epss_move_min * 1e5);
}
