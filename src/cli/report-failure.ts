import { debuglog, styleText } from 'node:util';
import { CommanderError } from 'commander';
import { cleanText, toOneLine } from '../analysis/display-text.ts';
import { UnusableFileError } from '../catalog/database-file.ts';
import { ApiError } from '../errors.ts';
import { describeSystemError, isSystemError, remedyFor } from '../system-error.ts';
import { toPrintableJson } from './output.ts';
import { truncateText, wrapText } from './terminal-text.ts';
import { CliError, EXIT_CODES, type ExitCodeName } from '../exit-codes.ts';

/** Characters of the message of an unexpected error. */
const MAX_MESSAGE_LENGTH = 300;

/** Prints an error to standard error, and with `json` also as the document on standard output. Returns the exit status. */
export function reportFailure(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '').trim();
    // Without a command the help was printed instead.
    if (error.code !== 'commander.help') printToStderr(message);
    if (json) printErrorJson('usage', message);
    return EXIT_CODES.usage.status;
  }
  debuglog('sextant')('%o', error);
  const { exit, code, message } = describeFailure(error);
  printToStderr(message);
  if (json) printErrorJson(code, message);
  return EXIT_CODES[exit].status;
}

/** Prints `sextant: message` to standard error, wrapped in a terminal. */
export function printToStderr(message: string): void {
  const text = `sextant: ${cleanText(message)}`;
  const { columns } = process.stderr;
  const output = columns === undefined ? text : wrapText(text, columns).join('\n');
  process.stderr.write(
    `${output.replace(/^sextant:/, (name) => styleText('red', name, { stream: process.stderr }))}\n`,
  );
}

/** How a failure ends a command, its code for programs, and its message. */
export function describeFailure(error: unknown): { exit: ExitCodeName; code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CliError) return { exit: error.exit, code: error.exit, message };
  if (error instanceof ApiError)
    return { exit: exitNameFor(error), code: error.code, message: commandErrorMessage(error) };
  if (error instanceof UnusableFileError)
    return { exit: 'refused', code: 'refused', message: `the catalog ${message}` };
  const text = isSystemError(error) ? systemErrorText(error) : message;
  return { exit: 'failed', code: 'failed', message: truncateText(toOneLine(text), MAX_MESSAGE_LENGTH) };
}

/** `path or address: error: remedy`. */
function systemErrorText(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const { path, address, port } = error;
  const location = path ?? (address === undefined ? null : `${address}${port === undefined ? '' : `:${port}`}`);
  return [location, describeSystemError(error), remedyFor(error)].filter((part) => part !== null).join(': ');
}

/** The message of an error, with operations named as commands. */
export function commandErrorMessage(error: ApiError): string {
  return error.messageFor((id) => `sextant ${id.replaceAll('_', '-')}`);
}

function exitNameFor({ code, status }: ApiError): ExitCodeName {
  if (code === 'not_found') return 'not_found';
  return status === 400 || status === 422 ? 'usage' : 'failed';
}

function printErrorJson(code: string, message: string): void {
  process.stdout.write(`${toPrintableJson({ error: { code, message } })}\n`);
}
