import type { CodeFinding } from '../finding.ts';
import type { Severity } from '../severity.ts';
import { displayLine } from '../display-text.ts';
import type { Span } from './syntax-tree.ts';
import { type InjectionKind, isWorseSource, type SourceLevel, type TaintSource } from './taint.ts';

export type FindingType = 'sql_injection' | 'command_injection' | 'path_traversal';

export interface InjectionFinding extends CodeFinding {
  id: FindingType;
}

const TYPES: Record<InjectionKind, FindingType> = {
  sql: 'sql_injection',
  command: 'command_injection',
  path: 'path_traversal',
};

const SEVERITIES: Record<InjectionKind, Record<SourceLevel, Severity>> = {
  sql: { request: 'HIGH', local: 'MEDIUM', parameter: 'MEDIUM', free: 'LOW' },
  command: { request: 'CRITICAL', local: 'MEDIUM', parameter: 'MEDIUM', free: 'LOW' },
  path: { request: 'HIGH', local: 'LOW', parameter: 'LOW', free: 'LOW' },
};

const MAX_MATCH_LENGTH = 160;
const MAX_LABEL_LENGTH = 80;

/** A source that reaches a sink. */
interface TaintFlow {
  readonly kind: InjectionKind;
  readonly source: TaintSource;
  /** Where the finding is reported: the name of the callee. */
  readonly span: Span;
  /** The code that the finding shows: the whole call. */
  readonly matchSpan: Span;
  readonly sinkSpan: Span;
  readonly remediation: string;
}

/** A line that looks like an injection. */
interface PatternMatch {
  readonly kind: InjectionKind;
  readonly span: Span;
  readonly description: string;
  readonly remediation: string;
}

/** A tainted value that enters an unknown call, and the sink that the result of the call reaches. */
export interface UnfollowedCall {
  readonly source: TaintSource;
  readonly through: Span;
  readonly sink?: Span;
}

/** Collects the findings in one text and describes them with its lines. */
export class Findings {
  readonly #source: string;
  readonly #lineStarts: readonly number[];
  readonly #found = new Map<string, TaintFlow | PatternMatch>();
  readonly #unfollowed = new Map<number, UnfollowedCall>();
  /** Parameters whose callers are all in the text, by where they begin: true if each of them gives a value that is known. */
  readonly #knownParameters = new Map<number, boolean>();

  constructor(source: string) {
    this.#source = source;
    this.#lineStarts = lineStarts(source);
  }

  /** At each place the flow with the worst source is kept. */
  addFlow(flow: TaintFlow): void {
    const key = `${flow.kind} ${flow.span.start}`;
    const before = this.#found.get(key);
    const isWorst = before === undefined || !('source' in before) || isWorseSource(flow.source, before.source);
    if (isWorst) this.#found.set(key, flow);
  }

  /** A call in the text gives this parameter a value that is known. */
  addKnownParameter({ start }: Span): void {
    if (!this.#knownParameters.has(start)) this.#knownParameters.set(start, true);
  }

  /** A call in the text gives this parameter a value of which nothing is known. */
  addUnknownParameter({ start }: Span): void {
    this.#knownParameters.set(start, false);
  }

  /** One for each call; one whose result reaches a sink is kept rather than one without. */
  addUnfollowed(call: UnfollowedCall): void {
    const before = this.#unfollowed.get(call.through.start);
    if (before === undefined || (before.sink === undefined && call.sink !== undefined)) {
      this.#unfollowed.set(call.through.start, call);
    }
  }

  /** The unknown calls that a tainted value enters, described, in order of lines. */
  unfollowed(): string[] {
    const place = (span: Span): string => `${this.#excerpt(span, MAX_LABEL_LENGTH)} (line ${this.line(span)})`;
    return [...this.#unfollowed.values()]
      .sort((one, other) => one.through.start - other.through.start)
      .map(({ source, through, sink }) => {
        const reached = sink === undefined ? '' : `, and whose result reaches ${place(sink)}`;
        return `${place(source.span)} enters ${place(through)}, which is not followed${reached}`;
      });
  }

  /** One for each kind and line. */
  addPattern(match: PatternMatch): void {
    const key = `${match.kind} line ${this.line(match.span)}`;
    if (!this.#found.has(key)) this.#found.set(key, match);
  }

  /** The line in which a span begins, from 1. */
  line({ start }: Span): number {
    let [low, high] = [0, this.#lineStarts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle]! <= start) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** From the beginning of a span to the end of that line. */
  lineFrom({ start }: Span): Span {
    return { start, end: (this.#lineStarts[this.line({ start, end: start })] ?? this.#source.length + 1) - 1 };
  }

  /** The text of a span on one line, without invisible characters, cut at `limit`. */
  #excerpt({ start, end }: Span, limit: number): string {
    return displayLine(this.#source.slice(start, end), limit);
  }

  /** In order of lines. `parameters` false: without those whose source is only a parameter of a function. */
  list(parameters = true): InjectionFinding[] {
    return [...this.#found.values()]
      .filter(
        (found) =>
          !('source' in found) ||
          found.source.level !== 'parameter' ||
          (parameters && this.#knownParameters.get(found.source.span.start) !== true),
      )
      .sort((one, other) => one.span.start - other.span.start)
      .map((found) => ({
        id: TYPES[found.kind],
        severity: SEVERITIES[found.kind]['source' in found ? found.source.level : 'parameter'],
        line: this.line(found.span),
        column: found.span.start - this.#lineStarts[this.line(found.span) - 1]! + 1,
        evidence: this.#excerpt('source' in found ? found.matchSpan : found.span, MAX_MATCH_LENGTH),
        description:
          'source' in found
            ? this.#describe(found)
            : `${found.description} Found by a pattern, not by following values.`,
        remediation: found.remediation,
      }));
  }

  #describe({ source, span, sinkSpan }: TaintFlow): string {
    const line = this.line(span);
    const sourceLine = this.line(source.span);
    const from = sourceLine === line ? '' : ` (line ${sourceLine})`;
    const label = this.#excerpt(source.span, MAX_LABEL_LENGTH);
    return `${SOURCE_TEXT[source.level](label, from)} reaches ${this.#excerpt(sinkSpan, MAX_LABEL_LENGTH)} (line ${line}).`;
  }
}

const SOURCE_TEXT: Record<SourceLevel, (label: string, from: string) => string> = {
  request: (label, from) => `${label}${from}`,
  local: (label, from) => `${label}${from}, given to the program from outside,`,
  parameter: (label, from) => `The parameter ${label}${from}, untrusted unless every caller checks it,`,
  free: (label, from) => `${label}${from}, which nothing in this code defines,`,
};

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let index = source.indexOf('\n'); index !== -1; index = source.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}
