import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../exit-codes.ts';

const IGNORE_FILE = '.sextantignore';
const MAX_IGNORE_FILE_BYTES = 1024 * 1024;
const MAX_PATTERNS = 2000;
const MAX_PATTERN_LENGTH = 500;

/** Why a path is left out (`--exclude docs/`). */
type ExclusionReason = string;
/** The reason to leave out a path, relative to the folder that is checked; null: it is checked. */
export type ExclusionCheck = (path: string, isFolder: boolean) => ExclusionReason | null;

interface Pattern {
  matches: RegExp;
  foldersOnly: boolean;
  /** Begins with `!`: paths that an earlier pattern left out are checked. */
  isNegated: boolean;
  reason: ExclusionReason;
}

/** Patterns of the options and of `.sextantignore` in the folder, in the form of `.gitignore` (gitignore(5)): the last that matches decides. */
export function createExclusionCheck(folder: string, patterns: readonly string[]): ExclusionCheck {
  const allPatterns = [
    ...readIgnoreFile(join(folder, IGNORE_FILE)).map((line) => parsePattern(line, IGNORE_FILE)),
    ...patterns.map((line) => parsePattern(line, '--exclude')),
  ].filter((pattern) => pattern !== null);
  return (path, isFolder) => {
    const lastMatch = allPatterns.findLast(
      ({ matches, foldersOnly }) => (isFolder || !foldersOnly) && matches.test(path),
    );
    return lastMatch === undefined || lastMatch.isNegated ? null : lastMatch.reason;
  };
}

/** Whether a pattern in the form of `.gitignore` is about a file or a folder that it is in. `origin` is named in errors. */
export function createPathMatcher(glob: string, origin: string): (path: string) => boolean {
  const pattern = parsePattern(glob, origin);
  if (pattern === null || pattern.isNegated) throw new CliError('usage', `${origin}: "${glob}" names no path`);
  const { matches, foldersOnly } = pattern;
  return (path) => {
    const parts = path.split('/');
    return parts.some(
      (_, index) => (index < parts.length - 1 || !foldersOnly) && matches.test(parts.slice(0, index + 1).join('/')),
    );
  };
}

function readIgnoreFile(path: string): string[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return [];
    throw new CliError('usage', `${IGNORE_FILE} cannot be read`);
  }
  const lines = bytes
    .subarray(0, MAX_IGNORE_FILE_BYTES)
    .toString()
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  if (bytes.length > MAX_IGNORE_FILE_BYTES || lines.length > MAX_PATTERNS) {
    throw new CliError('usage', `${IGNORE_FILE} has more than ${MAX_PATTERNS} lines`);
  }
  return lines;
}

/** Null for a line that is empty or a comment. */
function parsePattern(line: string, origin: string): Pattern | null {
  const text = line.replace(/(?<!\\) +$/, '');
  if (text === '' || text.startsWith('#')) return null;
  if (text.length > MAX_PATTERN_LENGTH)
    throw new CliError('usage', `${origin}: a pattern has more than ${MAX_PATTERN_LENGTH} characters`);
  const isNegated = text.startsWith('!');
  const glob = isNegated ? text.slice(1) : text.replace(/^\\(?=[#!])/, '');
  const foldersOnly = glob.endsWith('/');
  const inner = glob.replace(/^\.\//, '/').replace(/\/+$/, '');
  // A slash at the beginning or inside makes the pattern relative to the folder; else it matches at any depth.
  const anchored = inner.includes('/');
  const source = globToRegexSource(inner.replace(/^\/+/, ''));
  return {
    matches: compilePattern(`^${anchored ? '' : '(?:.*/)?'}${source}$`, `${origin} ${text}`),
    foldersOnly,
    isNegated,
    reason: `${origin} ${text}`,
  };
}

function compilePattern(source: string, patternText: string): RegExp {
  try {
    return new RegExp(source, 's');
  } catch {
    throw new CliError('usage', `${patternText}: a range of characters ends before it begins`);
  }
}

function globToRegexSource(glob: string): string {
  // Repeated stars become one token: they mean the same, and slow down matching.
  const tokens =
    glob.match(/^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\/])*\]|\\.|[^]/g) ?? [];
  return tokens.map(globTokenToRegexSource).join('');
}

/** Character classes of POSIX, as a bracket expression names them: `[[:digit:]]`. */
const CHARACTER_CLASSES: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9a-fA-F',
};
/** A character class, an escaped character, or a character with a meaning in regular expressions. */
const BRACKET_PART = /\[:([a-z]+):\]|\\(.)|[\]^&[]/g;

function globTokenToRegexSource(token: string): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token === '/**/') return '/(?:[^/]+/)*';
  if (token === '/**') return '/.+';
  if (token.startsWith('*')) return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 2 && token.startsWith('[')) {
    const negated = token.startsWith('[!') || token.startsWith('[^');
    const bracketContent = token
      .slice(negated ? 2 : 1, -1)
      .replace(BRACKET_PART, (part: string, name?: string, escaped?: string) =>
        name === undefined ? RegExp.escape(escaped ?? part) : (CHARACTER_CLASSES[name] ?? ''),
      );
    return `(?!/)[${negated ? '^' : ''}${bracketContent}]`;
  }
  return RegExp.escape(token.startsWith('\\') && token.length > 1 ? token.slice(1) : token);
}
