/** A statement in the three-valued logic of Kleene: null is not known. */
export type Truth = boolean | null;

/** What a part of a rule says about a subject, and why. */
export interface Finding {
  truth: Truth;
  /** Why it is not known; null where it is. */
  unknown: UnknownCause | null;
  /** The decision as text, to follow a colon: `2.14.1 is from 2.13.0 and before 2.15.0`. */
  reason: string;
  /** The part of the rule that decided: a CPE name with its range. */
  text: string;
  /** The first version without the flaw by this rule, where it says one. */
  fixed: string | null;
  /** The CPE name that decided, where one did. */
  cpe: string | null;
}

/**
 * - `condition`: the platform, edition or other component that it depends on is not known.
 * - `no_version`: the subject has none. `unreadable`: a version that its order cannot compare.
 * - `no_range`: the rule names the product without any version.
 * - `numbering`: the version has the numbers of another part of the product.
 */
export type UnknownCause = 'condition' | 'no_version' | 'unreadable' | 'no_range' | 'numbering';

/** If several parts are unknown, the cause that a caller can change most easily is shown. */
const CAUSE_RANK: Readonly<Record<UnknownCause, number>> = {
  condition: 0,
  no_version: 1,
  unreadable: 2,
  numbering: 3,
  no_range: 4,
};

/** What decides of a finding. */
export type Outcome = Pick<Finding, 'truth' | 'unknown'>;

/** True if one part is; false if all are. Of several equal parts the first one is returned. Null for an empty list. */
export function anyOf<Part extends Outcome>(parts: readonly Part[]): Part | null {
  return decisive(parts, true);
}

/** True if all parts are; false if one is. If all are true, the first part is returned. Null for an empty list. */
export function allOf<Part extends Outcome>(parts: readonly Part[]): Part | null {
  return decisive(parts, false);
}

/** The first part with this truth; else the unknown part whose cause a caller can change most easily; else the first. */
function decisive<Part extends Outcome>(parts: readonly Part[], wanted: boolean): Part | null {
  let open: Part | null = null;
  for (const part of parts) {
    if (part.truth === wanted) return part;
    if (part.truth === null && (open === null || CAUSE_RANK[part.unknown!] < CAUSE_RANK[open.unknown!])) open = part;
  }
  return open ?? parts[0] ?? null;
}

export function negate(part: Finding): Finding {
  if (part.truth === null) return part;
  return {
    ...part,
    truth: !part.truth,
    reason: `by a negated rule: ${part.reason}`,
    text: `not (${part.text})`,
    fixed: null,
  };
}
