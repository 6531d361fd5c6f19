import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { toOneLine } from '../../analysis/display-text.ts';
import { formatNumber } from '../../engine/summary.ts';
import { styleAlarm, styleValue, styleVerdict } from '../styles.ts';
import { renderTable } from '../table.ts';
import { formatMinute, padText, wrapText } from '../terminal-text.ts';
import type { Fact, FindingSection, FindingStep, Section, TableSection, TextSection, View } from './view.ts';

/** Of the longest severity. */
const SEVERITY_WIDTH = 8;
const INDENT = '  ';
const CELL_STYLES = { alarm: styleAlarm, verdict: styleVerdict, value: styleValue } as const;

/** The title and the verdict of a view; empty where it has no title. */
export function headLines({ title, verdict = [] }: View, width: number): string[] {
  const statements = verdict.filter((statement) => statement !== null && statement !== undefined && statement !== '');
  return [
    ...(title === undefined ? [] : wrapText(title, width).map((line) => styleText('bold', line))),
    ...(statements.length === 0 ? [] : wrapText(statements.join(' · '), width).map(styleVerdict)),
  ];
}

/** The blocks of a view below its head. */
export function viewBlocks({ facts = {}, sections = [] }: View, width: number): string[][] {
  return [
    factLines(facts, width),
    ...sections.filter((section) => section !== null).map((section) => sectionLines(section, width)),
  ];
}

function factLines(facts: Readonly<Record<string, Fact>>, width: number): string[] {
  const known = Object.entries(facts)
    .map(([label, fact]): [string, string[]] => [label, textsOf(fact)])
    .filter(([, texts]) => texts.length > 0);
  const labelWidth = Math.max(0, ...known.map(([label]) => stringWidth(label)));
  return known.flatMap(([label, texts]) =>
    texts
      .flatMap((text) => wrapText(text, width - labelWidth - INDENT.length))
      .map((line, index) => {
        const shownLabel = styleText('dim', padText(index === 0 ? label : '', labelWidth));
        return `${shownLabel}${INDENT}${styleValue(line)}`;
      }),
  );
}

function textsOf(fact: Fact): string[] {
  const values = Array.isArray(fact) ? (fact as readonly unknown[]) : [fact];
  return values
    .filter((value) => value !== null && value !== undefined && value !== '')
    .map((value) => (typeof value === 'number' ? formatNumber(value) : formatMinute(String(value))));
}

function sectionLines(section: Section, width: number): string[] {
  const inner = section.title === null ? width : width - INDENT.length;
  const lines = [...bodyLines(section, inner), ...hiddenNote(section)];
  if (section.title === null) return lines;
  const title = wrapText(section.title, width).map((line) => styleText('bold', line));
  return [...title, ...lines.map((line) => (line === '' ? '' : `${INDENT}${line}`))];
}

function bodyLines(section: Section, width: number): string[] {
  switch (section.kind) {
    case 'table':
      return tableLines(section, width);
    case 'findings':
      return findingLines(section, width);
    case 'facts':
      return factLines(section.facts, width);
    case 'text':
      return textSectionLines(section, width);
  }
}

/** Columns in which no row has a value are left out. */
function tableLines({ columns, cells }: TableSection, width: number): string[] {
  const filled = columns.map((_, index) => index).filter((index) => cells.some((row) => row[index] !== null));
  return renderTable(
    filled.map((index) => ({
      ...columns[index]!,
      rank: columns[index]!.rank ?? index,
      style: CELL_STYLES[columns[index]!.mark ?? 'value'],
    })),
    cells.map((row) => filled.map((index) => formatMinute(row[index] ?? '-'))),
    width,
  );
}

function findingLines({ findings }: FindingSection, width: number): string[] {
  const indent = ' '.repeat(SEVERITY_WIDTH + INDENT.length);
  const textWidth = width - indent.length;
  return findings.flatMap(({ severity, text, remedy, steps = [] }) => {
    const [first = '', ...more] = wrapText(text, textWidth);
    const advice = remedy === null ? [] : wrapText(`→ ${remedy}`, textWidth - INDENT.length);
    return [
      `${styleValue(padText(severity ?? '-', SEVERITY_WIDTH))}${INDENT}${first}`,
      ...more.map((line) => indent + line),
      ...advice.map((line, index) => `${indent}${index === 0 ? '' : INDENT}${styleText('cyan', line)}`),
      ...steps.flatMap((step) => stepLines(step, textWidth)).map((line) => indent + line),
    ];
  });
}

function stepLines({ kind, text }: FindingStep, width: number): string[] {
  if (kind === 'paste') return [`${INDENT}${INDENT}${toOneLine(text)}`];
  return wrapText(text, width - INDENT.length).map((line) => `${INDENT}${line}`);
}

function textSectionLines({ lines }: TextSection, width: number): string[] {
  return lines.flatMap((line) => wrapText(line, width));
}

function hiddenNote({ hidden }: Section): string[] {
  return hidden === 0 ? [] : [styleText('dim', `and ${formatNumber(hidden)} more`)];
}
