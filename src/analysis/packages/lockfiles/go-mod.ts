import { DocumentError, mergeDuplicates, type LockedPackage, createLockedPackage } from './locked-package.ts';

interface GoModStatement {
  words: string[];
  line: number;
  /** Of `require`: marked as not needed by the module itself (Go Modules Reference, "require directive"). */
  isIndirect: boolean;
}

const DIRECTIVES: ReadonlySet<string> = new Set(
  'module go toolchain godebug require exclude replace retract tool ignore'.split(' '),
);

/** `go.mod`, which says what is direct and not what needs the others; `sum` is the go.sum beside it, which alone names all modules before Go 1.17. */
export function readGoMod(text: string, sum: string | undefined): LockedPackage[] {
  const statements = parseStatements(text);
  const replaced = new Map<string, string[]>();
  for (const { words } of statements.filter(({ words }) => words[0] === 'replace')) {
    const arrow = words.indexOf('=>');
    if (arrow > 1) replaced.set(words.slice(1, arrow).join(' '), words.slice(arrow + 1));
  }
  const required = statements
    .filter(({ words }) => words[0] === 'require')
    .map(({ words: [, path = '', version = ''], line, isIndirect }) => {
      const [to, toVersion = ''] = replaced.get(`${path} ${version}`) ?? replaced.get(path) ?? [path, version];
      return { ...createGoModule(to!, toVersion, line), ...(!isIndirect && { broughtBy: [] }) };
    });
  const language = directiveValue(statements, 'go');
  const names = new Set(required.map(({ name }) => name));
  const summed = isBeforeGo117(language) ? parseGoSum(sum ?? '').filter(({ name }) => !names.has(name)) : [];
  return mergeDuplicates([
    ...required,
    ...summed,
    ...standardLibraryPackage(directiveValue(statements, 'toolchain'), language),
  ]);
}

/** The line `toolchain` names a release; the line `go` says alone which is the oldest that will do. */
function standardLibraryPackage(toolchain: string | null, language: string | null): LockedPackage[] {
  const release = /^go(\d[^-+\s]*)/.exec(toolchain ?? '')?.[1];
  const version = release ?? language;
  if (version === null) return [];
  const range = release === undefined ? { range: `>=${version}` } : {};
  return [createLockedPackage({ name: 'stdlib', version, ...range, ecosystem: 'Go' })];
}

function createGoModule(name: string, version: string, line: number | null): LockedPackage {
  return createLockedPackage({ name, version: version.replace(/^v/, ''), ecosystem: 'Go', line });
}

/** Lines, and the lines of blocks each with their directive. */
function parseStatements(text: string): GoModStatement[] {
  const statements: GoModStatement[] = [];
  let block: string | null = null;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const isIndirect = /\/\/\s*indirect(?:\s*;.*)?\s*$/.test(raw);
    const words = raw
      .replace(/\/\/.*$/, '')
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^["`]|["`]$/g, ''))
      .filter((word) => word !== '');
    if (words.length === 0) continue;
    if (block !== null) {
      if (words[0] === ')') block = null;
      else statements.push({ words: [block, ...words], line: index + 1, isIndirect });
    } else if (!DIRECTIVES.has(words[0]!)) {
      throw new DocumentError(`line ${index + 1} is not one of a go.mod`);
    } else if (words[1] === '(') block = words[0]!;
    else statements.push({ words, line: index + 1, isIndirect });
  }
  return statements;
}

function directiveValue(statements: readonly GoModStatement[], directive: string): string | null {
  return statements.find(({ words }) => words[0] === directive)?.words[1] ?? null;
}

function isBeforeGo117(language: string | null): boolean {
  const [, minor] = /^1\.(\d+)/.exec(language ?? '') ?? [];
  return minor !== undefined && Number(minor) < 17;
}

function parseGoSum(text: string): LockedPackage[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [path, version] = line.trim().split(/\s+/);
    return path === undefined || version === undefined || version.endsWith('/go.mod')
      ? []
      : [createGoModule(path, version, null)];
  });
}
