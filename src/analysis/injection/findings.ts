import { cleanText, truncateAtWord } from '../display-text.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import type { Kind, Level, Source } from './flow/value.ts';

export type Severity = 'critical' | 'high' | 'medium' | 'low';
export type FindingType = 'sql_injection' | 'command_injection' | 'path_traversal';

export interface Finding {
  type: FindingType;
  severity: Severity;
  /** From 1; columns in UTF-16 units. */
  line: number;
  column: number;
  match: string;
  description: string;
  remediation: string;
}

export const TYPES: Record<Kind, FindingType> = {
  sql: 'sql_injection',
  command: 'command_injection',
  path: 'path_traversal',
};

export const SEVERITIES: Record<Kind, Record<Level, Severity>> = {
  sql: { request: 'high', local: 'medium', parameter: 'medium', free: 'low' },
  command: { request: 'critical', local: 'medium', parameter: 'medium', free: 'low' },
  path: { request: 'high', local: 'low', parameter: 'low', free: 'low' },
};

const RANK: Record<Level, number> = { request: 3, local: 2, parameter: 1, free: 0 };
const MATCH_SHOWN = 160;
const LABEL_SHOWN = 80;

interface Flowing {
  readonly kind: Kind;
  readonly source: Source;
  /** The name of what is called: where the finding is. */
  readonly at: Span;
  /** All of the call, and what of it names what is called. */
  readonly shown: Span;
  readonly named: Span;
  readonly remedy: string;
}

interface Looking {
  readonly kind: Kind;
  readonly at: Span;
  readonly says: string;
  readonly remedy: string;
}

/** A value, what it enters, and where what comes out of that is run. */
export interface Unfollowed {
  readonly source: Source;
  readonly through: Span;
  readonly sink?: Span;
}

export type Span = Pick<SyntaxNode, 'start' | 'end'>;

/** Collects findings, the worst for each place, and knows lines. */
export class Findings {
  readonly #source: string;
  readonly #lineStarts: readonly number[];
  readonly #found = new Map<string, Flowing | Looking>();
  readonly #unfollowed = new Map<number, Unfollowed>();

  constructor(source: string) {
    this.#source = source;
    this.#lineStarts = lineStarts(source);
  }

  addFlow(found: Flowing): void {
    const key = `${found.kind} ${found.at.start}`;
    const before = this.#found.get(key);
    const worse = before === undefined || !('source' in before) || RANK[found.source.level] > RANK[before.source.level];
    if (worse) this.#found.set(key, found);
  }

  /** A value enters what is not followed; where its result reaches a sink, that is told too. One note for each such place. */
  addUnfollowed(note: Unfollowed): void {
    const before = this.#unfollowed.get(note.through.start);
    if (before === undefined || (before.sink === undefined && note.sink !== undefined)) {
      this.#unfollowed.set(note.through.start, note);
    }
  }

  /** What was not followed, in order of lines. */
  unfollowed(): { line: number; says: string }[] {
    return [...this.#unfollowed.values()]
      .sort((one, other) => one.through.start - other.through.start)
      .map(({ source, through, sink }) => {
        const line = this.line(through);
        const label = `${this.excerpt(source.at, LABEL_SHOWN)} (line ${this.line(source.at)})`;
        const reaches =
          sink === undefined
            ? ''
            : `, and whose result reaches ${this.excerpt(sink, LABEL_SHOWN)} (line ${this.line(sink)})`;
        return {
          line,
          says: `${label} enters ${this.excerpt(through, LABEL_SHOWN)} (line ${line}), which is not followed${reaches}`,
        };
      });
  }

  /** A line that looks like an injection; one for each kind and line. */
  addPattern(found: Looking): void {
    const key = `${found.kind} line ${this.line(found.at)}`;
    if (!this.#found.has(key)) this.#found.set(key, found);
  }

  /** The line of a place, from 1. */
  line({ start }: Span): number {
    let [low, high] = [0, this.#lineStarts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle]! <= start) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** From a place to the end of its line. */
  lineFrom({ start }: Span): Span {
    return { start, end: (this.#lineStarts[this.line({ start, end: start })] ?? this.#source.length + 1) - 1 };
  }

  /** The text of a place on one line, without what does not show. */
  excerpt({ start, end }: Span, limit: number): string {
    const text = cleanText(this.#source.slice(start, Math.min(end, start + 4 * limit)));
    return truncateAtWord(text.replace(/\s+/g, ' ').trim(), limit);
  }

  /** In order of lines; without `parameters`, not what only a parameter of a function brings. */
  list(parameters = true): Finding[] {
    return [...this.#found.values()]
      .filter((found) => parameters || !('source' in found) || found.source.level !== 'parameter')
      .sort((one, other) => one.at.start - other.at.start)
      .map((found) => ({
        type: TYPES[found.kind],
        severity: SEVERITIES[found.kind]['source' in found ? found.source.level : 'parameter'],
        line: this.line(found.at),
        column: found.at.start - this.#lineStarts[this.line(found.at) - 1]! + 1,
        match: this.excerpt('source' in found ? found.shown : found.at, MATCH_SHOWN),
        description:
          'source' in found ? this.#describe(found) : `${found.says} Found by a pattern, not by following values.`,
        remediation: found.remedy,
      }));
  }

  #describe({ source, at, named }: Flowing): string {
    const line = this.line(at);
    const sourceLine = this.line(source.at);
    const from = sourceLine === line ? '' : ` (line ${sourceLine})`;
    const label = this.excerpt(source.at, LABEL_SHOWN);
    return `${ORIGIN[source.level](label, from)} reaches ${this.excerpt(named, LABEL_SHOWN)} (line ${line}).`;
  }
}

const ORIGIN: Record<Level, (label: string, from: string) => string> = {
  request: (label, from) => `${label}${from}`,
  local: (label, from) => `${label}${from}, given to the program from outside,`,
  parameter: (label, from) => `The parameter ${label}${from}, untrusted unless every caller checks it,`,
  free: (label, from) => `${label}${from}, which nothing in this code defines,`,
};

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
