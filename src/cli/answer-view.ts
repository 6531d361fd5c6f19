import { styleText } from 'node:util';
import type { Verdict } from '../engine/evidence.ts';
import type { NextCall, Operation } from '../engine/operation.ts';
import { commandLine, positionalsOf } from './operation-words.ts';
import { ageInWords, displayWidth, oneLine, pad, wrap } from './text.ts';
import { listLines, recordLines } from './view.ts';

type Fields = Record<string, unknown>;

/** The envelope of a list: said in one line instead. */
const PAGING = ['count', 'total', 'offset', 'next_offset', 'truncated', 'query_echo'] as const;

/** An answer for people: its summary, its facts, where to go on, and last what it rests on. */
export function answerLines(answer: Fields, operations: readonly Operation[], width: number): string[] {
  const { summary, verdict, next_calls, ...facts } = answer;
  const blocks = [
    typeof summary === 'string' ? wrap(summary, width).map((line) => styleText('bold', line)) : [],
    isPage(facts) ? pageLines(facts, width) : recordLines(facts, width),
    pagingLines(facts),
    nextLines((next_calls ?? []) as NextCall[], operations, width),
    verdict === undefined ? [] : wrap(verdictText(verdict as Verdict), width).map((line) => styleText('dim', line)),
  ];
  return blocks
    .map(trimmed)
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

/** The rows of a list, and what an operation adds beside its envelope. */
function pageLines(facts: Fields, width: number): string[] {
  const { results, ...rest } = Object.fromEntries(
    Object.entries(facts).filter(([name]) => !(PAGING as readonly string[]).includes(name)),
  );
  return [...recordLines(rest, width), '', ...listLines((results ?? []) as unknown[], width)];
}

function pagingLines(facts: Fields): string[] {
  if (!isPage(facts) || facts.next_offset === null) return [];
  const from = Number(facts.offset);
  const rows = `rows ${from + 1} to ${from + Number(facts.count)} of ${Number(facts.total).toLocaleString('en')}`;
  return [styleText('dim', `${rows}; go on with --offset ${Number(facts.next_offset)}`)];
}

function isPage(facts: Fields): boolean {
  return PAGING.every((name) => name in facts);
}

function nextLines(calls: readonly NextCall[], operations: readonly Operation[], width: number): string[] {
  const known = calls.flatMap((call) => {
    const operation = operations.find(({ id }) => id === call.tool);
    if (operation === undefined) return [];
    const [positional] = positionalsOf(operation);
    const input = call.params ?? (positional === undefined ? {} : { [positional]: call.input });
    return [{ command: oneLine(commandLine(operation, input)), reason: oneLine(call.reason) }];
  });
  const column = Math.max(0, ...known.map(({ command }) => displayWidth(command)));
  const beside = known.every(({ reason }) => column + 2 + displayWidth(reason) <= width);
  return known.flatMap(({ command, reason }) => {
    const asked = styleText('cyan', pad(command, beside ? column : 0));
    const why = styleText('dim', reason);
    return beside ? [`${asked}  ${why}`] : [asked, `  ${why}`];
  });
}

function verdictText(verdict: Verdict): string {
  const { sources_queried, data_age_seconds, completeness, gaps, deterministic } = verdict;
  const age = data_age_seconds === null ? null : `data ${ageInWords(data_age_seconds)} old`;
  return [
    sources_queried.length === 0 ? 'computed, no source needed' : `from ${sources_queried.join(', ')}`,
    age ?? (deterministic ? null : 'asked live'),
    completeness,
    gaps.length === 0 ? null : `missing: ${gathered(gaps, verdict.sources_unavailable).join('; ')}`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** What is said of several sources in the same words is said once. */
function gathered(gaps: readonly string[], sources: readonly string[]): string[] {
  const about = new Map<string, string[]>();
  for (const gap of gaps) {
    const source = sources.find((id) => gap.startsWith(`${id} `));
    const words = source === undefined ? gap : gap.slice(source.length + 1);
    about.set(words, [...(about.get(words) ?? []), ...(source === undefined ? [] : [source])]);
  }
  return [...about].map(([words, of]) => (of.length === 0 ? words : `${of.join(', ')} ${words}`));
}

function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first);
}
