import type { LabelledValue, SecretCase } from './secret-case.ts';

/** What a tool reported in a file. Without an end it is the whole line. */
export interface ReportedPlace {
  readonly line: number;
  /** In UTF-16 units from the start of the text. */
  readonly start: number;
  readonly end: number;
}

export interface CaseJudgement {
  readonly found: readonly LabelledValue[];
  readonly missed: readonly LabelledValue[];
  /** Look-alikes that were reported, and those that were left alone. */
  readonly reportedClean: readonly LabelledValue[];
  readonly leftAlone: readonly LabelledValue[];
  /** Reported places that are neither. */
  readonly elsewhere: readonly ReportedPlace[];
}

interface Place {
  readonly label: LabelledValue;
  readonly start: number;
  readonly end: number;
}

/** A secret is found when a reported place overlaps it; every reported place that overlaps no secret is a false alarm. */
export function judgeFindings(one: SecretCase, reported: readonly ReportedPlace[]): CaseJudgement {
  const secrets = placesOf(one, one.secrets);
  const clean = placesOf(one, one.clean);
  const overlaps = (place: Place) => (report: ReportedPlace) => report.start < place.end && report.end > place.start;
  const isFound = (place: Place): boolean => reported.some(overlaps(place));
  const alarms = reported.filter((report) => !secrets.some((place) => overlaps(place)(report)));
  const labels = (places: readonly Place[]): LabelledValue[] => places.map(({ label }) => label);
  return {
    found: labels(secrets.filter(isFound)),
    missed: labels(secrets.filter((place) => !isFound(place))),
    reportedClean: labels(clean.filter((place) => alarms.some(overlaps(place)))),
    leftAlone: labels(clean.filter((place) => !alarms.some(overlaps(place)))),
    elsewhere: alarms.filter((report) => !clean.some((place) => overlaps(place)(report))),
  };
}

/** Where labelled values stand; the same value twice in a line takes the places in order. */
function placesOf({ text }: SecretCase, labels: readonly LabelledValue[]): Place[] {
  const starts = lineStarts(text);
  const taken = new Map<string, number>();
  return labels.map((label) => {
    const key = `${label.line} ${label.value}`;
    const from = taken.get(key) ?? starts[label.line - 1]!;
    const start = text.indexOf(label.value, from);
    if (start === -1) throw new Error(`no ${label.value} in line ${label.line}`);
    taken.set(key, start + label.value.length);
    return { label, start, end: start + label.value.length };
  });
}

/** Where each line begins. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
