import { debuglog, styleText } from 'node:util';
import { CommanderError } from 'commander';
import { cleanText } from '../analysis/text.ts';
import { UnusableFileError } from '../catalog/database-file.ts';
import { Refusal } from '../errors.ts';
import { describeSystemError, isSystemError, remedyFor } from '../system-error.ts';
import { jsonText } from './output.ts';
import { cut, oneLine, wrap } from './text.ts';
import { CliError, EXIT, type ExitName } from '../exit.ts';

/** Of a failure that nobody foresaw. */
const LONGEST_MESSAGE = 300;

/** Tells of a failure, on standard error for people and, where asked for JSON, as the document on standard output; gives the exit status. */
export function reportFailure(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    // Commander has said on standard error what was wrong; asking for help or the version is no failure.
    if (error.exitCode === 0) return EXIT.ok.status;
    if (json) writeError('usage', error.message.replace(/^error: /, ''));
    return EXIT.usage.status;
  }
  debuglog('sextant')('%o', error);
  const { exit, code, message } = failureOf(error);
  sayOnStderr(message);
  if (json) writeError(code, message);
  return EXIT[exit].status;
}

/** A line of this program's own on standard error; in a terminal, cut between words. */
export function sayOnStderr(message: string): void {
  const text = `sextant: ${cleanText(message)}`;
  const { columns } = process.stderr;
  const lines = columns === undefined ? text : wrap(text, columns).join('\n');
  process.stderr.write(`${lines.replace(/^sextant:/, (name) => styleText('red', name, { stream: process.stderr }))}\n`);
}

function failureOf(error: unknown): { exit: ExitName; code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CliError) return { exit: error.exit, code: error.exit, message };
  if (error instanceof Refusal) return { exit: exitOf(error), code: error.code, message: commandMessage(error) };
  if (error instanceof UnusableFileError)
    return { exit: 'refused', code: 'refused', message: `the catalog ${message}` };
  const text = isSystemError(error) ? systemText(error) : message;
  return { exit: 'failed', code: 'failed', message: cut(oneLine(text), LONGEST_MESSAGE) };
}

/** Where it happened, what the system says in plain words, and what to do about it. */
function systemText(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const { path, address, port } = error;
  const place = path ?? (address === undefined ? null : `${address}${port === undefined ? '' : `:${port}`}`);
  return [place, describeSystemError(error), remedyFor(error)].filter((part) => part !== null).join(': ');
}

/** What a refusal says on the command line, where an operation is a command. */
export function commandMessage(refusal: Refusal): string {
  return refusal.messageFor((id) => `sextant ${id.replaceAll('_', '-')}`);
}

function exitOf({ code, status }: Refusal): ExitName {
  if (code === 'not_found') return 'not_found';
  return status === 400 || status === 422 ? 'usage' : 'failed';
}

function writeError(code: string, message: string): void {
  process.stdout.write(`${jsonText({ error: { code, message } })}\n`);
}
