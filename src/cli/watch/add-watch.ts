import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { MAX_DOCUMENT_CHARACTERS } from '../../operations/watches/lib/watch-fields.ts';
import { subjectOfText } from '../../operations/watches/lib/subject-of-text.ts';
import { CliError } from '../../exit-codes.ts';
import { formatNumber } from '../../engine/summary.ts';
import { tryAskOf } from '../lookup/look-up.ts';
import type { PrintOptions } from '../print-options.ts';
import { printAnswer } from '../run-and-print.ts';
import { runWatchOperation } from './run-watch-operation.ts';
import { type LocalWatches, withLocalWatches } from './with-local-watches.ts';

export interface AddOptions {
  name?: string;
  webhook: readonly string[];
  slack: readonly string[];
  teams: readonly string[];
  mail: readonly string[];
  daily?: string;
  timeZone?: string;
  quiet?: { from: string; to: string };
  severity?: string;
  kev?: true;
}

/** `sextant watch add`. Throws `CliError`, `ApiError`. */
export async function addWatch(things: readonly string[], options: AddOptions, print: PrintOptions): Promise<void> {
  const { operation, input, answer } = await withLocalWatches(async (local) => {
    const subject = await subjectOf(things, local);
    return runWatchOperation('watch_create', { subject, ...definitionOf(options) }, local);
  });
  await printAnswer(operation, answer, input, print);
}

async function subjectOf(things: readonly string[], { runnerDeps }: LocalWatches): Promise<Record<string, unknown>> {
  const text = things.join(' ');
  if (statSync(text, { throwIfNoEntry: false })?.isFile() !== true) return subjectOfText(text, tryAskOf(runnerDeps));
  const { size } = statSync(text);
  if (size > MAX_DOCUMENT_CHARACTERS)
    throw new CliError(
      'usage',
      `${text}: ${formatNumber(size)} bytes, at most ${formatNumber(MAX_DOCUMENT_CHARACTERS)}`,
    );
  return { document: readFileSync(text, 'utf8'), filename: basename(text) };
}

function definitionOf({ name, webhook, slack, teams, mail, daily, timeZone, quiet, severity, kev }: AddOptions) {
  const ofFormat = (urls: readonly string[], format: string) => urls.map((url) => ({ url, format }));
  return {
    ...(name !== undefined && { name }),
    conditions: { ...(severity !== undefined && { severity_min: severity }), ...(kev && { kev_only: true }) },
    channels: [
      ...ofFormat(webhook, 'standard'),
      ...ofFormat(slack, 'slack'),
      ...ofFormat(teams, 'teams'),
      ...mail.map((to) => ({ to })),
    ],
    schedule: {
      ...(daily !== undefined && { when: 'daily', at: daily }),
      ...(quiet !== undefined && { quiet }),
      time_zone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  };
}
