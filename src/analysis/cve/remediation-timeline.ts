import type { SsvcAssessment } from './cve-facts.ts';

/** Outcomes of CISA BOD 26-04, strictest first. `days` is null for "fix on system upgrade". */
export const REMEDIATION_TIMELINES = [
  { id: '3_days_and_forensics', days: 3, text: 'within 3 days, with a forensic triage' },
  { id: '3_days', days: 3, text: 'within 3 days' },
  { id: '14_days', days: 14, text: 'within 14 days' },
  { id: '60_days', days: 60, text: 'within 60 days' },
  { id: 'on_upgrade', days: null, text: 'with the next system upgrade' },
] as const;
export type RemediationTimeline = (typeof REMEDIATION_TIMELINES)[number];

const [FORENSICS, THREE_DAYS, TWO_WEEKS, SIXTY_DAYS, ON_UPGRADE] = REMEDIATION_TIMELINES;

/** The decision table of CISA BOD 26-04, version 1.0.0: `known exploited, publicly exposed, automatable, technical impact`. */
const TIMELINES: Readonly<Record<string, RemediationTimeline>> = {
  'no no no partial': ON_UPGRADE,
  'yes no no partial': TWO_WEEKS,
  'no yes no partial': SIXTY_DAYS,
  'no no yes partial': SIXTY_DAYS,
  'no no no total': ON_UPGRADE,
  'yes yes no partial': TWO_WEEKS,
  'yes no yes partial': TWO_WEEKS,
  'no yes yes partial': TWO_WEEKS,
  'yes no no total': TWO_WEEKS,
  'no yes no total': TWO_WEEKS,
  'no no yes total': SIXTY_DAYS,
  'yes yes yes partial': THREE_DAYS,
  'yes yes no total': FORENSICS,
  'yes no yes total': FORENSICS,
  'no yes yes total': THREE_DAYS,
  'yes yes yes total': FORENSICS,
};

/** What decides the timeline; null is "not known". */
export interface TimelineInputs {
  in_kev: boolean | null;
  exposed: boolean | null;
  automatable: SsvcAssessment['automatable'] | null;
  technical_impact: SsvcAssessment['technical_impact'] | null;
}

/** The least strict and the strictest of some timelines. */
export interface PossibleTimelines {
  latest: RemediationTimeline;
  earliest: RemediationTimeline;
}

/** By the inputs, of which there are 81. */
const possibleByInputs = new Map<string, PossibleTimelines>();

/** The timelines of CISA BOD 26-04 that are possible with what is known. */
export function possibleTimelines(inputs: TimelineInputs): PossibleTimelines {
  const { in_kev, exposed, automatable, technical_impact } = inputs;
  const key = `${in_kev} ${exposed} ${automatable} ${technical_impact}`;
  let possible = possibleByInputs.get(key);
  if (possible === undefined) {
    possible = findPossibleTimelines(inputs);
    possibleByInputs.set(key, possible);
  }
  return possible;
}

function findPossibleTimelines({ in_kev, exposed, automatable, technical_impact }: TimelineInputs): PossibleTimelines {
  const found = optionsOf(yesNo(in_kev), ['no', 'yes']).flatMap((kev) =>
    optionsOf(yesNo(exposed), ['no', 'yes']).flatMap((isExposed) =>
      optionsOf(automatable, ['no', 'yes']).flatMap((automated) =>
        optionsOf(technical_impact, ['partial', 'total']).map(
          (impact) => TIMELINES[`${kev} ${isExposed} ${automated} ${impact}`]!,
        ),
      ),
    ),
  );
  const ordered = REMEDIATION_TIMELINES.filter((timeline) => found.includes(timeline));
  return { earliest: ordered[0]!, latest: ordered.at(-1)! };
}

function yesNo(value: boolean | null): string | null {
  return value === null ? null : value ? 'yes' : 'no';
}

function optionsOf(known: string | null, all: readonly string[]): readonly string[] {
  return known === null ? all : [known];
}
