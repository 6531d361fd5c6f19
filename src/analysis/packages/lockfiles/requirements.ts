import { mergeDuplicates, type LockedPackage, createLockedPackage, type ReportGap } from './locked-package.ts';
import { summarizeList } from '../../display-text.ts';

const MAX_FILES = 50;
const MAX_LINE_LENGTH = 20_000;
/** PEP 508: a name, extras, and what follows. */
const REQUIREMENT_PATTERN = /^([A-Za-z0-9](?:[\w.-]{0,200}[A-Za-z0-9])?)(?![\w.-])\s*(?:\[[^\]]*\])?\s*(.*)$/;
const CLAUSE_PATTERN = /^(===|==|~=|>=|<=|!=|>|<)\s*(.*)$/;
/** Where the options of one requirement begin: `--hash=sha256:...`. */
const OPTIONS_START = /\s--(?:hash|global-option|config-settings?|install-option)\b/;
/** An archive named as wheels are (binary distribution format): `name-version(-build)?-python-abi-platform.whl`. */
const WHEEL_PATTERN =
  /(?:^|[/\\])([A-Za-z0-9](?:[\w.]*[A-Za-z0-9])?)-([0-9][\w.!+]*)(?:-\d\w*)?-[\w.]+-[\w.]+-[\w.]+\.whl(?=$|[?#;\s])/;
const URL_OR_PATH_PATTERN = /^(?:[a-z][a-z0-9+.-]*:|git@|\.{1,2}[/\\]|[/\\]|[A-Za-z]:[/\\])/i;

const FROM_URL_PROBLEM = 'it comes from an address: its version is not known';

interface LogicalLine {
  text: string;
  number: number;
}

/**
 * `requirements.txt`, by pip's "Requirements File Format" and PEP 508: a version is what `==` without `*`, or `===`, names; anything
 * else is a range. Files named by `-r` are read where `read` has them (by their path relative to this file); what names no package,
 * and files that are not there, are noted.
 */
export function readRequirements(
  text: string,
  read: (path: string) => string | undefined,
  note: ReportGap,
): LockedPackage[] {
  const found: LockedPackage[] = [];
  const unnamed: string[] = [];
  const files = new Map([['', text]]);
  // A map that grows while it is walked is walked to its new end.
  for (const [path, content] of files) {
    for (const line of logicalLines(content)) {
      const included = includedFile(line.text);
      if (included !== null) {
        const target = resolveIncludePath(path, included);
        const there = read(target);
        if (there === undefined || files.size >= MAX_FILES)
          note(`the file ${target.slice(0, 100)}, which it includes, was not read`);
        else if (!files.has(target)) files.set(target, there);
        continue;
      }
      const one = parseRequirement(line.text);
      if (one === 'option') continue;
      if (one === null) unnamed.push(path === '' ? `line ${line.number}` : `line ${line.number} of ${path}`);
      else found.push(path === '' ? { ...one, line: line.number } : one);
    }
  }
  if (unnamed.length > 0) note(`no package is named in ${summarizeList(unnamed, 3)}`);
  return mergeDuplicates(found);
}

/** Lines with their continuations joined and comments taken away, as pip does it, in this order. */
function* logicalLines(text: string): Iterable<LogicalLine> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const number = index + 1;
    const parts = [lines[index]!];
    // A line that is a comment cannot be continued.
    while (parts.at(-1)!.endsWith('\\') && !/^\s*#/.test(parts.at(-1)!) && index + 1 < lines.length) {
      parts[parts.length - 1] = parts.at(-1)!.slice(0, -1);
      parts.push(lines[++index]!);
    }
    const plain = parts
      .map((part, at) => (at > 0 && /^\s*#/.test(part) ? ` ${part}` : part))
      .join('')
      .replace(/(?:^|\s)#.*$/, '')
      .trim();
    if (plain !== '') yield { text: plain.slice(0, MAX_LINE_LENGTH), number };
  }
}

function includedFile(line: string): string | null {
  const [, path] = /^(?:-r\s*|--requirement(?:\s+|=))(.+)$/.exec(line) ?? [];
  return path === undefined ? null : path.trim().replace(/^["']|["']$/g, '');
}

function resolveIncludePath(from: string, path: string): string {
  if (URL_OR_PATH_PATTERN.test(path) && !path.startsWith('.')) return path;
  const parts: string[] = [];
  for (const part of [...from.split(/[/\\]/).slice(0, -1), ...path.split(/[/\\]/)]) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** Null for what installs something without saying what. */
function parseRequirement(line: string): LockedPackage | 'option' | null {
  const editable = /^(?:-e\s*|--editable(?:\s+|=))(.+)$/.exec(line)?.[1];
  if (editable === undefined && line.startsWith('-')) return 'option';
  const given = (editable ?? line).replace(/^["']|["']$/g, '');
  if (editable !== undefined || URL_OR_PATH_PATTERN.test(given)) return packageFromUrl(given);
  const [, name, after] = REQUIREMENT_PATTERN.exec(given.split(OPTIONS_START, 1)[0]!) ?? [];
  if (name === undefined) return null;
  const rest = after!.trim();
  if (rest.startsWith('@')) return { ...createPythonPackage(name), problem: FROM_URL_PROBLEM };
  if (/^[/\\]/.test(rest)) return packageFromUrl(given);
  return packageWithSpecifier(
    name,
    rest
      .split(';', 1)[0]!
      .trim()
      .replace(/^\((.*)\)$/, '$1')
      .trim(),
  );
}

/** `git+https://...#egg=name`, a wheel by its name; null for other addresses, files and folders. */
function packageFromUrl(address: string): LockedPackage | null {
  const wheel = WHEEL_PATTERN.exec(address);
  if (wheel !== null) return { ...createPythonPackage(wheel[1]!), version: wheel[2]! };
  const [, egg] = /[#&]egg=([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)/.exec(address) ?? [];
  if (egg === undefined) return null;
  return {
    ...createPythonPackage(egg),
    commit: /@([0-9a-f]{40})(?=$|[#?])/.exec(address)?.[1] ?? null,
    problem: FROM_URL_PROBLEM,
  };
}

function packageWithSpecifier(name: string, specifier: string): LockedPackage {
  if (specifier === '') return createPythonPackage(name);
  const clauses = specifier.split(',').map((clause) => CLAUSE_PATTERN.exec(clause.trim()));
  const [, operator, version = ''] = clauses.length === 1 ? (clauses[0] ?? []) : [];
  const isPlain = /^[\w.!+-]+$/.test(version);
  if (isPlain && (operator === '==' || operator === '===')) return { ...createPythonPackage(name), version };
  // As other readers of this format have it: the end of a range that is among its versions.
  const end = isPlain && (operator === '>=' || operator === '<=' || operator === '~=') ? version : '';
  return { ...createPythonPackage(name), version: end, range: specifier.replace(/\s+/g, ' ').slice(0, 100) };
}

function createPythonPackage(name: string): LockedPackage {
  return createLockedPackage({ name, ecosystem: 'PyPI' });
}
