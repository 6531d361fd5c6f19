import type { CodeFinding } from '../finding.ts';
import type { Severity } from '../severity.ts';
import { cleanText, displayLine } from '../display-text.ts';
import type { Edit, SourceText } from './source-text.ts';
import type { Span } from './syntax-tree.ts';
import { type InjectionKind, isWorseSource, type SourceLevel, type TaintSource } from './taint.ts';

export type FindingType = 'sql_injection' | 'command_injection' | 'path_traversal';

export interface InjectionFinding extends CodeFinding {
  id: FindingType;
  /** The way of the value from its source to the sink; for a pattern the line that it matches. */
  path: PathStep[];
  /** The lines of the sink without the injection; null: they cannot be formed with certainty. */
  fix: string | null;
}

/** A line that the value passes, as written, cleaned and truncated. */
export interface PathStep {
  line: number;
  text: string;
}

const TYPES: Record<InjectionKind, FindingType> = {
  sql: 'sql_injection',
  command: 'command_injection',
  path: 'path_traversal',
  option: 'command_injection',
};

const SEVERITIES: Record<InjectionKind, Record<SourceLevel, Severity>> = {
  sql: { request: 'HIGH', local: 'MEDIUM', parameter: 'MEDIUM', free: 'LOW' },
  command: { request: 'CRITICAL', local: 'MEDIUM', parameter: 'MEDIUM', free: 'LOW' },
  path: { request: 'HIGH', local: 'LOW', parameter: 'LOW', free: 'LOW' },
  option: { request: 'HIGH', local: 'LOW', parameter: 'LOW', free: 'LOW' },
};

const MAX_MATCH_LENGTH = 160;
const MAX_LABEL_LENGTH = 80;
const MAX_FIX_LENGTH = 600;

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
  /** Why the value does harm there, where the kind does not say it. */
  readonly effect?: string;
  /** What makes the sink safe; null: not certain. */
  readonly fix: readonly Edit[] | null;
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
  readonly source: SourceText;
  readonly #found = new Map<string, TaintFlow | PatternMatch>();
  readonly #unfollowed = new Map<number, UnfollowedCall>();
  /** Of sinks, where what they run or open is made by what is not followed; by where the sink begins. */
  readonly #unknown = new Map<number, { readonly made: Span; readonly sink: Span }>();
  /** Parameters whose callers are all in the text, by where they begin: true if each of them gives a value that is known. */
  readonly #knownParameters = new Map<number, boolean>();

  constructor(source: SourceText) {
    this.source = source;
  }

  /** At each place the flow with the worst source is kept. */
  addFlow(flow: Omit<TaintFlow, 'fix'>, fix: () => Edit[] | null): void {
    const key = `${flow.kind} ${flow.span.start}`;
    const before = this.#found.get(key);
    const isWorst = before === undefined || !('source' in before) || isWorseSource(flow.source, before.source);
    if (isWorst) this.#found.set(key, { ...flow, fix: fix() });
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

  /** A value of which nothing tells whether it is harmless reaches a sink. */
  addUnknown(made: Span, sink: Span): void {
    if (!this.#unknown.has(sink.start)) this.#unknown.set(sink.start, { made, sink });
  }

  /** The unknown calls that a tainted value enters, and the sinks that a value of unknown making reaches, described, in order of lines. */
  unfollowed(): string[] {
    const place = (span: Span): string =>
      `${this.source.excerpt(span, MAX_LABEL_LENGTH)} (line ${this.source.line(span)})`;
    const named = new Set(
      [...this.#found.values()].flatMap((found) => ('sinkSpan' in found ? [found.sinkSpan.start] : [])),
    );
    for (const { sink } of this.#unfollowed.values()) if (sink !== undefined) named.add(sink.start);
    const entering = [...this.#unfollowed.values()].map(({ source, through, sink }) => {
      const reached = sink === undefined ? '' : `, and whose result reaches ${place(sink)}`;
      return [through, `${place(source.span)} enters ${place(through)}, which is not followed${reached}`] as const;
    });
    const unknown = [...this.#unknown.values()]
      .filter(({ sink }) => !named.has(sink.start))
      .map(
        ({ made, sink }) =>
          [sink, `how ${place(made)} is made is not followed, and it reaches ${place(sink)}`] as const,
      );
    return [...entering, ...unknown].sort(([one], [other]) => one.start - other.start).map(([, text]) => text);
  }

  /** One for each kind and line. */
  addPattern(match: PatternMatch): void {
    const key = `${match.kind} line ${this.source.line(match.span)}`;
    if (!this.#found.has(key)) this.#found.set(key, match);
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
        line: this.source.line(found.span),
        column: this.source.column(found.span),
        evidence: this.source.excerpt('source' in found ? found.matchSpan : found.span, MAX_MATCH_LENGTH),
        description:
          'source' in found
            ? this.#describe(found)
            : `${found.description} Found by a pattern, not by following values.`,
        remediation: found.remediation,
        path: this.#path(found),
        fix: 'source' in found && found.fix !== null ? mendedLines(this.source, found.matchSpan, found.fix) : null,
      }));
  }

  #path(found: TaintFlow | PatternMatch): PathStep[] {
    const spans: Span[] = [found.span];
    if ('source' in found) {
      for (let step = found.source.steps; step !== undefined; step = step.before) spans.push(step.span);
      spans.push(found.source.span);
    }
    const lines = spans.map((span) => this.source.line(span)).toReversed();
    return lines
      .filter((line, index) => line !== lines[index - 1])
      .map((line) => ({ line, text: displayLine(this.source.lines(line, line), MAX_MATCH_LENGTH) }));
  }

  #describe({ source, span, sinkSpan, effect }: TaintFlow): string {
    const line = this.source.line(span);
    const sourceLine = this.source.line(source.span);
    const from = sourceLine === line ? '' : ` (line ${sourceLine})`;
    const label = this.source.excerpt(source.span, MAX_LABEL_LENGTH);
    return `${SOURCE_TEXT[source.level](label, from)} reaches ${this.source.excerpt(sinkSpan, MAX_LABEL_LENGTH)} (line ${line})${effect === undefined ? '' : `, ${effect}`}.`;
  }
}

/** The lines of a span with the edits made in them; null: too long to be shown. */
function mendedLines(source: SourceText, span: Span, edits: readonly Edit[]): string | null {
  const text = source.linesWithEdits(span, edits, MAX_FIX_LENGTH);
  return text === null ? null : cleanText(text).trim();
}

const SOURCE_TEXT: Record<SourceLevel, (label: string, from: string) => string> = {
  request: (label, from) => `${label}${from}`,
  local: (label, from) => `${label}${from}, given to the program from outside,`,
  parameter: (label, from) => `The parameter ${label}${from}, untrusted unless every caller checks it,`,
  free: (label, from) => `${label}${from}, which nothing in this code defines,`,
};
