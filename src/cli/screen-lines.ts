import { styleText } from 'node:util';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { OPERATIONS } from '../operations/list.ts';
import { answerLines } from './answer-view.ts';
import { wrapText } from './terminal-text.ts';
import { cvssShown, type CvssShown } from './views/cvss.ts';
import { findView } from './views/list.ts';

const MAIN_FACTS_NOTE = 'The main facts. Every field: --all; for programs: --json';

/** Input that the view of an operation needs. */
export function viewInput(operationId: string): OperationInput {
  return { ...findView(operationId)?.input };
}

/** A CVSS vector that no operation answers, for people. */
export function vectorLines(answer: CvssShown, { width, all }: { width: number; all: boolean }): string[] {
  return answerLines({ ...answer }, OPERATIONS, { width, view: all ? null : cvssShown(answer), all });
}

/** The answer for people: what the view of its operation chose for a screen, or all fields. */
export function screenLines(
  operation: Operation,
  answer: Record<string, unknown>,
  input: OperationInput,
  { width, all, now }: { width: number; all: boolean; now: Date },
): string[] {
  const found = all ? undefined : findView(operation.id);
  const view = found?.show(answer, { input, now }) ?? null;
  // A view that shows nothing leaves the choice to the caller, who asked for whole lists.
  const isWhole = all || (found !== undefined && view === null);
  const lines = answerLines(answer, OPERATIONS, { width, view, all: isWhole });
  if (isWhole) return lines;
  return [...lines, ...wrapText(MAIN_FACTS_NOTE, width).map((line) => styleText('dim', line))];
}
