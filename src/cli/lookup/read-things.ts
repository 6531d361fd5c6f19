import { quoteInput } from '../../engine/input/identifiers.ts';
import { formatNumber } from '../../engine/summary.ts';
import { recognizeLines, recognizeText, type RecognizedText } from '../../analysis/recognize-text.ts';
import { CliError } from '../../exit-codes.ts';

/** Things that are looked up by one command. */
export const MAX_THINGS = 1000;
/** Characters of one line. */
export const MAX_LINE_CHARACTERS = 2048;
const MAX_INPUT_BYTES = MAX_THINGS * MAX_LINE_CHARACTERS;
/** The argument that stands for standard input. */
const STDIN = '-';

/** One thing that is asked about: as it was given, and what it is. */
export interface Thing extends RecognizedText {
  readonly given: string;
}

/** What is asked about. `isList`: several, or from standard input, whose number the caller does not choose. */
export interface Things {
  readonly things: readonly Thing[];
  readonly isList: boolean;
}

/**
 * The things that the arguments name, `-` and no argument at all being standard input. Words that are no identifiers are together one
 * thing: `apache log4j 2.14.1`. Throws `CliError` (usage) for nothing, and for more than the limits.
 */
export async function readThings(words: readonly string[], stdin: NodeJS.ReadStream): Promise<Things> {
  const isFromStdin = words.length === 0 || words.includes(STDIN);
  if (words.length === 0 && stdin.isTTY)
    throw new CliError(
      'usage',
      'nothing to look up: give it as an argument, or many on standard input, a line each, with -',
    );
  const given = words.filter((word) => word !== STDIN);
  const lines = [
    ...(isPhrase(given) ? [given.join(' ')] : given),
    ...(isFromStdin ? (await readText(stdin)).split(/\r\n?|\n/) : []),
  ];
  const things = removeRepetitions(lines.flatMap(thingsOfLine));
  if (things.length === 0)
    throw new CliError('usage', 'nothing to look up: the input is empty, or has only blank lines and comments');
  if (things.length > MAX_THINGS)
    throw new CliError(
      'usage',
      `${formatNumber(things.length)} things: at most ${formatNumber(MAX_THINGS)} are looked up at once; split divides a file`,
    );
  return { things, isList: isFromStdin || (given.length > 1 && !isPhrase(given)) };
}

function isPhrase(words: readonly string[]): boolean {
  return words.length > 1 && words.every((word) => recognizeText(word).kind === 'words');
}

function thingsOfLine(line: string): Thing[] {
  const text = line.trim();
  if (text.length > MAX_LINE_CHARACTERS)
    throw new CliError(
      'usage',
      `a line of ${formatNumber(text.length)} characters, which begins with ${quoteInput(text.slice(0, 40))}: at most ${formatNumber(MAX_LINE_CHARACTERS)}`,
    );
  const recognized = recognizeLines(text);
  return recognized.map((one) => ({ ...one, given: recognized.length === 1 ? text : one.value }));
}

function removeRepetitions(things: readonly Thing[]): Thing[] {
  const seen = new Set<string>();
  return things.filter(({ kind, value }) => {
    const key = `${kind} ${value.toLowerCase()}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

async function readText(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_INPUT_BYTES)
      throw new CliError('usage', `more than ${formatNumber(MAX_INPUT_BYTES)} bytes on standard input`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
