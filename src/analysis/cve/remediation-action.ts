import { isoDay } from '../iso-time.ts';
import type { SsvcDecision } from './ssvc-decision.ts';
import { possibleTimelines, type RemediationTimeline, type TimelineInputs } from './remediation-timeline.ts';

/** How soon to act, most urgent first; `unknown`: too little is known to say; `none`: there is nothing to do. */
export const URGENCIES = ['immediate', 'urgent', 'scheduled', 'routine', 'unknown', 'none'] as const;
export type Urgency = (typeof URGENCIES)[number];

/**
 * What sets the deadline, or else the urgency: the known-exploited catalog, the directive's table, the risk score, or the rejection of
 * the CVE.
 */
export const ACTION_RULES = ['kev_due_date', 'cisa_bod_26_04', 'risk_score', 'rejected'] as const;
export type ActionRule = (typeof ACTION_RULES)[number];

/** Facts that decide how soon to act on a CVE. Days are YYYY-MM-DD or ISO 8601; null is "not known". */
export interface ActionInputs extends TimelineInputs {
  rejected: boolean;
  kev_date_added: string | null;
  kev_due_date: string | null;
  published: string | null;
  /** By CISA's coordinator table: it is compared, and does not change the urgency. Null: there is no decision. */
  ssvc_decision: SsvcDecision | null;
  /** What the risk score alone asks for. */
  risk_urgency: Urgency;
}

export interface RemediationAction {
  urgency: Urgency;
  /** YYYY-MM-DD; null where no rule sets a day. It may be over. */
  deadline: string | null;
  rule: ActionRule;
  exposed: boolean | null;
  /** A sentence for each rule that has a say, that of the deadline before the other. */
  reason: string;
}

const DAY_MS = 86_400_000;

/**
 * How soon to act on a CVE: the strictest urgency and the earliest deadline of three rules, which are the due date of the
 * known-exploited catalog, the timeline of CISA BOD 26-04, and the risk score (an urgency alone). A known-exploited CVE is at least
 * `urgent`. A timeline counts from the day on which the CVE became known exploited, else from its publication. Where the exposure is
 * not known, its deadline is the latest possible one, and the reason names the earliest.
 */
export function decideAction(inputs: ActionInputs): RemediationAction {
  const { exposed } = inputs;
  if (inputs.rejected) {
    return { urgency: 'none', deadline: null, rule: 'rejected', exposed, reason: 'Rejected: nothing to do.' };
  }
  const published = [kevRule(inputs), timelineRule(inputs)].filter((candidate) => candidate !== null);
  const risk = riskRule(inputs);
  const rules = [...published, risk].toSorted(compareUrgency);
  const { urgency } = rules[0]!;
  const isRiskStricter = published.every((candidate) => compareUrgency(risk, candidate) < 0);
  const [dated] = published
    .filter(({ deadline }) => deadline !== null)
    .toSorted((a, b) => compareDays(a.deadline!, b.deadline!) || compareUrgency(a, b));
  const decisive = dated ?? rules[0]!;
  const reasons = [
    ...(isRiskStricter ? [risk] : []),
    ...published.toSorted((a, b) => Number(b === decisive) - Number(a === decisive)),
  ].map(({ reason }) => reason);
  const ssvc = reconcileSsvc(inputs, urgency);
  if (ssvc !== null) reasons.push(ssvc);
  return { urgency, deadline: decisive.deadline, rule: decisive.rule, exposed, reason: reasons.join(' ') };
}

/** Why the SSVC decision differs from the urgency by the rules; null where both agree, or there is no decision. */
function reconcileSsvc(inputs: ActionInputs, urgency: Urgency): string | null {
  const { ssvc_decision: decision } = inputs;
  if (decision === null) return null;
  const isSoon = isWithinTwoWeeks(urgency);
  if (decision === 'track' || decision === 'track*') {
    const canBeSoon = isSoon || isWithinTwoWeeks(timelineUrgencyIfStrictest(inputs) ?? urgency);
    return canBeSoon
      ? `SSVC's "${decision}" is milder, as it weighs neither exposure nor due dates: the stricter rule holds.`
      : null;
  }
  return isSoon
    ? null
    : `SSVC's "${decision}" is stricter, as its assessor saw exploitation that the known-exploited catalog does not list.`;
}

function isWithinTwoWeeks(urgency: Urgency): boolean {
  return urgency === 'immediate' || urgency === 'urgent';
}

function timelineUrgencyIfStrictest(inputs: ActionInputs): Urgency | null {
  return timelineRule(inputs) === null ? null : urgencyOf(possibleTimelines(inputs).earliest);
}

type Candidate = Omit<RemediationAction, 'exposed'>;

function kevRule({ in_kev, kev_date_added, kev_due_date }: ActionInputs): Candidate | null {
  if (in_kev !== true) return null;
  const since = kev_date_added === null ? '' : ` since ${kev_date_added}`;
  const due = kev_due_date === null ? '' : `; the known-exploited catalog sets ${kev_due_date}`;
  return {
    urgency: 'urgent',
    deadline: kev_due_date,
    rule: 'kev_due_date',
    reason: `Known to be exploited${since}${due}.`,
  };
}

function timelineRule(inputs: ActionInputs): Candidate | null {
  const { in_kev, automatable, technical_impact } = inputs;
  // Without these two the table allows everything, unless the CVE is known exploited.
  if (in_kev !== true && (automatable === null || technical_impact === null)) return null;
  const { latest, earliest } = possibleTimelines(inputs);
  const start = in_kev === true ? inputs.kev_date_added : inputs.published;
  const sooner = earliest === latest ? '' : `; ${earliest.text} if ${conditionOf(inputs)}`;
  return {
    urgency: urgencyOf(latest),
    deadline: latest.days === null || start === null ? null : plusDays(start, latest.days),
    rule: 'cisa_bod_26_04',
    reason: `CISA BOD 26-04: ${latest.text}${sooner} (${describeInputs(inputs)}).`,
  };
}

function riskRule({ risk_urgency, in_kev }: ActionInputs): Candidate {
  const known =
    in_kev === true ? '' : in_kev === null ? '; whether it is exploited is not known' : '; not known to be exploited';
  return {
    urgency: risk_urgency,
    deadline: null,
    rule: 'risk_score',
    reason:
      risk_urgency === 'unknown'
        ? `How soon is not known: no source has scored it${known}.`
        : `Its risk score makes it ${risk_urgency}${known}.`,
  };
}

function urgencyOf({ days }: RemediationTimeline): Urgency {
  if (days === null) return 'routine';
  return days <= 3 ? 'immediate' : days <= 14 ? 'urgent' : 'scheduled';
}

/** The unknown inputs that would make the timeline stricter. */
function conditionOf({ exposed, automatable, technical_impact }: ActionInputs): string {
  return [
    exposed === null ? 'exposed to the internet' : null,
    automatable === null ? 'automatable' : null,
    technical_impact === null ? 'of total impact' : null,
  ]
    .filter((condition) => condition !== null)
    .join(' and ');
}

function describeInputs({ in_kev, exposed, automatable, technical_impact }: ActionInputs): string {
  return [
    in_kev === true ? 'known exploited' : in_kev === false ? 'not known exploited' : 'exploitation not known',
    automatable === null ? null : automatable === 'yes' ? 'automatable' : 'not automatable',
    technical_impact === null ? null : `${technical_impact} impact`,
    exposed === null ? 'exposure not known' : exposed ? 'exposed' : 'not exposed',
  ]
    .filter((part) => part !== null)
    .join(', ');
}

function plusDays(time: string, days: number): string {
  return isoDay(Date.parse(time.slice(0, 10)) + days * DAY_MS);
}

/** Most urgent first. */
function compareUrgency(a: Candidate, b: Candidate): number {
  return URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency);
}

function compareDays(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
