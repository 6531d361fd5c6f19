import { displayLine } from '../display-text.ts';
import type { Span } from './syntax-tree.ts';

/** A replacement in the source text. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

const MAX_QUOTED_LENGTH = 1000;

/** The text that is checked, by lines and by spans. */
export class SourceText {
  readonly #text: string;
  readonly #lineStarts: readonly number[];
  readonly #matches = new Map<RegExp, boolean>();

  /** `start`: where the text as sent begins, after what was put before it. */
  constructor(text: string, start = 0) {
    this.#text = text;
    const starts = [start];
    for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
    this.#lineStarts = starts;
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

  /** Where in its line a span begins, from 1, in UTF-16 units. */
  column(span: Span): number {
    return span.start - this.#startOf(this.line(span)) + 1;
  }

  /** From the beginning of a span to the end of that line. */
  lineFrom(span: Span): Span {
    return { start: span.start, end: this.#endOf(this.line(span)) };
  }

  /** The text from one line to another one, both included. */
  lines(first: number, last: number): string {
    return this.#text.slice(this.#startOf(first), this.#endOf(last));
  }

  /** The lines of a span, in which these edits are made; null: they are longer than `limit`. */
  linesWithEdits(span: Span, edits: readonly Edit[], limit: number): string | null {
    const first = this.line(span);
    const last = this.line({ start: Math.max(span.start, span.end - 1), end: span.end });
    const offset = this.#startOf(first);
    if (this.#endOf(last) - offset > limit) return null;
    let text = this.lines(first, last);
    const fromEnd = edits.toSorted((one, other) => other.span.start - one.span.start);
    for (const { span: place, text: replacement } of fromEnd) {
      text = text.slice(0, place.start - offset) + replacement + text.slice(place.end - offset);
    }
    return text;
  }

  /** The text of a span as written. */
  textOf({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }

  /** The text of a span on one line, without invisible characters, cut at `limit`. */
  excerpt(span: Span, limit: number): string {
    return displayLine(this.textOf(span), limit);
  }

  /** The characters next to a span; empty at an end of the text. */
  around({ start, end }: Span): { before: string; after: string } {
    return { before: this.#text.charAt(start - 1), after: this.#text.charAt(end) };
  }

  /** Whether a span lies between double quotes of its line, or so far behind in it that this is not looked at. */
  isInQuotes(span: Span): boolean {
    const start = this.#startOf(this.line(span));
    if (span.start - start > MAX_QUOTED_LENGTH) return true;
    const before = this.#text.slice(start, span.start);
    return (before.replace(/\\./g, '').split('"').length - 1) % 2 === 1;
  }

  /** Whether the pattern is found anywhere. */
  matches(pattern: RegExp): boolean {
    const known = this.#matches.get(pattern) ?? pattern.test(this.#text);
    this.#matches.set(pattern, known);
    return known;
  }

  #startOf(line: number): number {
    return this.#lineStarts[line - 1] ?? 0;
  }

  /** Before the line break. */
  #endOf(line: number): number {
    return (this.#lineStarts[line] ?? this.#text.length + 1) - 1;
  }
}
