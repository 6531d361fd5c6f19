import type { z } from 'zod';
import { summarizeList } from '../../analysis/display-text.ts';
import type { Answer, Operation } from '../../engine/operation.ts';

/**
 * What a terminal shows of an answer, the most important first: what it is about, the verdict, what to do, then what supports it. Values
 * that are null, empty or not there are left out. The rest is for `--all` and `--json`.
 */
export interface View {
  /** What it is about. Without it the summary is the title. */
  readonly title?: string | undefined;
  /** Short statements in our own words; severities and `KNOWN EXPLOITED` are coloured in them. */
  readonly verdict?: readonly Value[] | undefined;
  /** Label and value, a line each. */
  readonly facts?: Readonly<Record<string, Fact>>;
  readonly sections?: readonly (Section | null)[];
}

type Value = string | null | undefined;
/** Several texts: a line each. */
export type Fact = Value | number | readonly Value[];

export type Section = TableSection | FindingSection | TextSection | FactSection;

export interface TableSection {
  readonly kind: 'table';
  readonly title: string | null;
  readonly columns: readonly Omit<ViewColumn<never>, 'cell'>[];
  readonly cells: readonly (readonly (string | null)[])[];
  /** Rows that are not shown. */
  readonly hidden: number;
}

export interface ViewColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number | null | undefined;
  /** The columns with the highest ranks are the first that a narrow terminal leaves out. Default: the place of the column. */
  readonly rank?: number;
  readonly align?: 'left' | 'right';
  /** Wraps long cells instead of cutting them. */
  readonly wrap?: boolean;
  /** Is left out rather than made narrower than this; Infinity, for what is copied: than its longest cell. */
  readonly min?: number;
  /** `alarm`: whatever the column says is loud; `verdict`: statements in our own words. */
  readonly mark?: 'alarm' | 'verdict';
}

export interface FindingSection {
  readonly kind: 'findings';
  readonly title: string | null;
  readonly findings: readonly Finding[];
  readonly hidden: number;
}

/** What is wrong, and what mends it. */
export interface Finding {
  readonly severity: string | null;
  readonly text: string;
  readonly remedy: string | null;
  /** What to know and what to paste, in order. */
  readonly steps?: readonly FindingStep[];
}

/** A note is wrapped; what is to be pasted stays a line. */
export interface FindingStep {
  readonly kind: 'note' | 'paste';
  readonly text: string;
}

export interface TextSection {
  readonly kind: 'text';
  readonly title: string;
  readonly lines: readonly string[];
  readonly hidden: number;
}

export interface FactSection {
  readonly kind: 'facts';
  readonly title: string;
  readonly facts: Readonly<Record<string, Fact>>;
  readonly hidden: 0;
}

/** What a view may know besides the answer. */
export interface ViewContext<Input> {
  readonly input: Input;
  readonly now: Date;
}

/** How the answers of one operation are shown. */
export interface OperationView {
  readonly id: string;
  /** Input that the view needs, unless the caller gives it; for people alone. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Null: all fields, as with `--all`. */
  show(answer: Record<string, unknown>, context: ViewContext<Record<string, unknown>>): View | null;
}

/** The type of an operation alone is needed: a view loads no operation. */
export function defineView<Op extends { input: z.ZodObject; output: z.ZodObject }>(
  id: string,
  show: (answer: z.output<Op['output']>, context: ViewContext<z.output<Op['input']>>) => View | null,
  input: Partial<z.output<Op['input']>> = {},
): OperationView {
  return { id, input, show };
}

/** The answer of an operation, as views of its parts take it. */
export type AnswerOf<Op extends Pick<Operation, 'output'>> = Answer<Op['output']>;

interface BulkRow {
  readonly status: string;
  readonly error: { readonly message: string } | null;
  readonly [field: string]: unknown;
}

/** A bulk operation over the items of `Op`, as one table: the item, the columns of its answer, or why it has none. */
export function defineBulkView<Op extends { output: z.ZodObject }>(
  id: string,
  [itemField, answerField]: readonly [string, string],
  columns: readonly ViewColumn<Answer<Op['output']>>[],
): OperationView {
  const ofAnswer = columns.map(({ cell, ...column }): ViewColumn<BulkRow> => {
    return {
      ...column,
      cell: ({ [answerField]: answer }) => (answer === null ? null : cell(answer as Answer<Op['output']>)),
    };
  });
  const show = ({ results, skipped_due_to_rate_limit: skipped }: Record<string, unknown>): View => {
    const rows = results as BulkRow[];
    const asked: ViewColumn<BulkRow> = { title: 'asked', cell: (row) => String(row[itemField]), rank: 0 };
    const problem: ViewColumn<BulkRow> = { title: 'problem', cell: ({ error }) => error?.message, rank: 1, wrap: true };
    return {
      facts: { 'not asked': summarizeList(skipped as string[]) },
      sections: [
        table(
          null,
          rows.filter(({ error }) => error === null),
          [asked, ...ofAnswer],
          { limit: rows.length },
        ),
        table(
          'not answered',
          rows.filter(({ error }) => error !== null),
          [asked, problem],
          { limit: rows.length },
        ),
      ],
    };
  };
  return { id, input: {}, show };
}

const DEFAULT_ROWS = 20;

interface TableOptions {
  /** Rows at most; default 20. */
  readonly limit?: number;
  /** Of which the rows are the first; default: all are given. */
  readonly total?: number;
}

/** Rows as a table; null where there are none. */
export function table<Row>(
  title: string | null,
  rows: readonly Row[] | null | undefined,
  columns: readonly ViewColumn<Row>[],
  { limit = DEFAULT_ROWS, total = rows?.length ?? 0 }: TableOptions = {},
): TableSection | null {
  if (rows == null || rows.length === 0) return null;
  const shown = rows.slice(0, limit);
  const cells = shown.map((row) => columns.map(({ cell }) => toText(cell(row))));
  return { kind: 'table', title, columns, cells, hidden: Math.max(0, total - shown.length) };
}

const DEFAULT_FINDINGS = 8;

/** Findings, each with its remedy; null where there are none. */
export function findings<Row>(
  title: string | null,
  rows: readonly Row[],
  toFinding: (row: Row) => Finding,
  limit = DEFAULT_FINDINGS,
): FindingSection | null {
  if (rows.length === 0) return null;
  return {
    kind: 'findings',
    title,
    findings: rows.slice(0, limit).map(toFinding),
    hidden: Math.max(0, rows.length - limit),
  };
}

const DEFAULT_LINES = 12;

/** Lines of text under a title; null where there are none. */
export function textLines(title: string, lines: readonly string[], limit = DEFAULT_LINES): TextSection | null {
  if (lines.length === 0) return null;
  return { kind: 'text', title, lines: lines.slice(0, limit), hidden: Math.max(0, lines.length - limit) };
}

/** Labels and values under a title; null where there are none. */
export function facts(title: string, given: Readonly<Record<string, Fact>>): FactSection | null {
  return Object.keys(given).length === 0 ? null : { kind: 'facts', title, facts: given, hidden: 0 };
}

function toText(value: string | number | null | undefined): string | null {
  return value === null || value === undefined || value === '' ? null : String(value);
}
