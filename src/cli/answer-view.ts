import { styleText } from 'node:util';
import { toOneLine } from '../analysis/display-text.ts';
import stringWidth from 'string-width';
import type { Verdict } from '../engine/evidence.ts';
import type { NextCall, Operation } from '../engine/operation.ts';
import { toShellCommand, positionalFields } from './operation-arguments.ts';
import { formatAge, formatNumber } from '../engine/summary.ts';
import { padText, truncateText, wrapText } from './terminal-text.ts';
import { listLines, recordLines } from './record-view.ts';
import type { View } from './views/view.ts';
import { headLines, viewBlocks } from './views/view-lines.ts';

type Fields = Record<string, unknown>;

/** Paging fields of a list, which are shown as one line. */
const PAGING_FIELDS = ['count', 'total', 'offset', 'next_offset', 'truncated', 'query_echo'] as const;

/** What is shown of an answer. */
export interface AnswerLineOptions {
  /** `width` terminal columns. */
  readonly width: number;
  /** Null: every field. */
  readonly view: View | null;
  /** Whether fields are shown that have no value; without a view. */
  readonly all: boolean;
}

/** A reason that would have to be shorter is left out. */
const MIN_REASON_WIDTH = 16;

/** An answer for people: head, facts, paging, next calls as commands, verdict. */
export function answerLines(
  answer: Fields,
  operations: readonly Operation[],
  { width, view, all }: AnswerLineOptions,
): string[] {
  const { summary, verdict, next_calls, ...facts } = answer;
  const title = view?.title ?? (typeof summary === 'string' ? summary : undefined);
  const blocks = [
    headLines({ ...view, title }, width),
    ...(view === null ? [fieldLines(facts, width, all)] : viewBlocks(view, width)),
    pagingLines(facts),
    nextCallLines((next_calls ?? []) as NextCall[], operations, width),
    verdict === undefined ? [] : wrapText(verdictText(verdict as Verdict), width).map((line) => styleText('dim', line)),
  ];
  return blocks
    .map(dropLeadingBlankLines)
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

/** All fields; the rows of a list after the other fields of the answer. */
function fieldLines(facts: Fields, width: number, all: boolean): string[] {
  if (!isPage(facts)) return recordLines(facts, width, all);
  const { results, ...rest } = Object.fromEntries(
    Object.entries(facts).filter(([name]) => !(PAGING_FIELDS as readonly string[]).includes(name)),
  );
  const rows = (results ?? []) as unknown[];
  return [...recordLines(rest, width, all), '', ...listLines(rows, width, all, rows.length)];
}

function pagingLines(facts: Fields): string[] {
  if (!isPage(facts) || facts.next_offset === null) return [];
  const from = Number(facts.offset);
  const rows = `rows ${from + 1} to ${from + Number(facts.count)} of ${formatNumber(Number(facts.total))}`;
  return [styleText('dim', `${rows}; go on with --offset ${Number(facts.next_offset)}`)];
}

function isPage(facts: Fields): boolean {
  return PAGING_FIELDS.every((name) => name in facts);
}

function nextCallLines(calls: readonly NextCall[], operations: readonly Operation[], width: number): string[] {
  const commands = calls.flatMap((call) => {
    const operation = operations.find(({ id }) => id === call.tool);
    if (operation === undefined) return [];
    const [positional] = positionalFields(operation);
    const input = call.params ?? (positional === undefined ? {} : { [positional]: call.input });
    return [{ command: toOneLine(toShellCommand(operation, input)), reason: toOneLine(call.reason) }];
  });
  const longest = Math.max(0, ...commands.map(({ command }) => stringWidth(command)));
  const column = longest + 2 + 2 * MIN_REASON_WIDTH <= width ? longest : 0;
  return commands.map(({ command, reason }) => {
    const room = width - Math.max(column, stringWidth(command)) - 2;
    const commandText = styleText('cyan', padText(command, column));
    return room < MIN_REASON_WIDTH ? commandText : `${commandText}  ${styleText('dim', truncateText(reason, room))}`;
  });
}

function verdictText(verdict: Verdict): string {
  const { sources_queried, data_age_seconds, completeness, gaps, deterministic } = verdict;
  const age = data_age_seconds === null ? null : `data ${formatAge(data_age_seconds)} old`;
  return [
    sources_queried.length === 0 ? 'computed, no source needed' : `from ${sources_queried.join(', ')}`,
    age ?? (deterministic ? null : 'asked live'),
    completeness,
    gaps.length === 0 ? null : `missing: ${groupGapsBySource(gaps, verdict.sources_unavailable).join('; ')}`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** Old feeds, as `Evidence` words them. */
const OLD_FEED = /^(\S+) is ([\d,]+ days) old: (what came since is not in it)$/;

/** Gaps with the same text are joined: `nvd, epss did not answer`, `nvd (9 days), epss (8 days) are old`; old feeds come last. */
function groupGapsBySource(gaps: readonly string[], sources: readonly string[]): string[] {
  const sourcesByText = new Map<string, string[]>();
  const old = gaps.map((gap) => OLD_FEED.exec(gap)).filter((match) => match !== null);
  const others = old.length > 1 ? gaps.filter((gap) => !OLD_FEED.test(gap)) : gaps;
  for (const gap of others) {
    const source = sources.find((id) => gap.startsWith(`${id} `));
    const text = source === undefined ? gap : gap.slice(source.length + 1);
    sourcesByText.set(text, [...(sourcesByText.get(text) ?? []), ...(source === undefined ? [] : [source])]);
  }
  const grouped = [...sourcesByText].map(([words, ids]) => (ids.length === 0 ? words : `${ids.join(', ')} ${words}`));
  if (old.length < 2) return grouped;
  const feeds = old.map(([, feed, age]) => `${feed} (${age})`).join(', ');
  return [...grouped, `${feeds} are old: ${old[0]![3]}`];
}

function dropLeadingBlankLines(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first);
}
