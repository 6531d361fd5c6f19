import { type CheckSeverity, compareSeverity, countBySeverity, SEVERITIES, type Severity } from './severity.ts';

/** What a rule says wherever it applies. */
export interface FindingDefinition<Level extends CheckSeverity = Severity> {
  severity: Level;
  description: string;
  remediation: string;
}

/** What a rule reports for one subject. Every rule set reports this form; an operation turns it into the rows of its answer. */
export interface Finding<Level extends CheckSeverity = Severity> extends FindingDefinition<Level> {
  /** Of the rule; stable. */
  id: string;
}

/** A finding with what was seen. */
export interface ObservedFinding extends Finding {
  /** Cleaned and truncated; null: something is missing, so that there is nothing to show. */
  evidence: string | null;
}

/** A finding at a place of a text. */
export interface CodeFinding extends Finding {
  /** The text that it is about, cleaned and truncated; a secret is masked. */
  evidence: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  /** In UTF-16 units, line breaks included. Absent where the end is not known. */
  length?: number;
}

/** Descriptions say what is so, a colon, and what that means: the first alone, without a final stop. */
export function titleOfDescription(description: string): string {
  return description.split(': ', 1)[0]!.replace(/\.$/, '');
}

/** The order of findings: the worst first. */
export function compareFindings(
  { severity: one }: { readonly severity: CheckSeverity },
  { severity: other }: { readonly severity: CheckSeverity },
): number {
  return compareSeverity(one, other);
}

export interface RankedFindings<Found> {
  /** The worst first, equally bad ones in the given order; at most `MAX_CODE_FINDINGS`. */
  findings: Found[];
  /** Of all, also those that the list leaves out. */
  total: number;
  by_severity: Record<Severity, number>;
}

export const MAX_CODE_FINDINGS = 200;

/** Sorts and counts the findings in one text. */
export function rankFindings<Found extends { readonly severity: Severity }>(
  findings: readonly Found[],
): RankedFindings<Found> {
  return {
    findings: findings.toSorted(compareFindings).slice(0, MAX_CODE_FINDINGS),
    total: findings.length,
    by_severity: countBySeverity(SEVERITIES, findings),
  };
}

/** 0 to 100: 100 less the points that each finding costs. */
export function scoreFindings<Level extends CheckSeverity>(
  findings: readonly { readonly severity: Level }[],
  costBySeverity: Readonly<Record<Level, number>>,
): number {
  return findings.reduce((score, { severity }) => Math.max(0, score - costBySeverity[severity]), 100);
}
