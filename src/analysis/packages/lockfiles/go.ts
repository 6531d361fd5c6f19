import { DocumentFault, distinct, type LockedPackage, locked } from './locked-package.ts';

interface Statement {
  words: string[];
  line: number;
}

const DIRECTIVES: ReadonlySet<string> = new Set(
  'module go toolchain godebug require exclude replace retract tool ignore'.split(' '),
);

/** `go.mod`; `sum` is the go.sum beside it, which alone names all modules before Go 1.17. */
export function readGoMod(text: string, sum: string | undefined): LockedPackage[] {
  const statements = statementsOf(text);
  const replaced = new Map<string, string[]>();
  for (const { words } of statements.filter(({ words }) => words[0] === 'replace')) {
    const arrow = words.indexOf('=>');
    if (arrow > 1) replaced.set(words.slice(1, arrow).join(' '), words.slice(arrow + 1));
  }
  const required = statements
    .filter(({ words }) => words[0] === 'require')
    .map(({ words: [, path = '', version = ''], line }) => {
      const [to, toVersion = ''] = replaced.get(`${path} ${version}`) ?? replaced.get(path) ?? [path, version];
      return moduleOf(to!, toVersion, line);
    });
  const language = wordAfter(statements, 'go');
  const names = new Set(required.map(({ name }) => name));
  const summed = isBefore117(language) ? modulesOfSum(sum ?? '').filter(({ name }) => !names.has(name)) : [];
  return distinct([...required, ...summed, ...standardLibrary(wordAfter(statements, 'toolchain'), language)]);
}

/** The line `toolchain` names a release; the line `go` says alone which is the oldest that will do. */
function standardLibrary(toolchain: string | null, language: string | null): LockedPackage[] {
  const release = /^go(\d[^-+\s]*)/.exec(toolchain ?? '')?.[1];
  const version = release ?? language;
  if (version === null) return [];
  const range = release === undefined ? { range: `>=${version}` } : {};
  return [locked({ name: 'stdlib', version, ...range, ecosystem: 'Go' })];
}

function moduleOf(name: string, version: string, line: number | null): LockedPackage {
  return locked({ name, version: version.replace(/^v/, ''), ecosystem: 'Go', line });
}

/** Lines, and the lines of blocks each with their directive. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let block: string | null = null;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const words = raw
      .replace(/\/\/.*$/, '')
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^["`]|["`]$/g, ''))
      .filter((word) => word !== '');
    if (words.length === 0) continue;
    if (block !== null) {
      if (words[0] === ')') block = null;
      else statements.push({ words: [block, ...words], line: index + 1 });
    } else if (!DIRECTIVES.has(words[0]!)) {
      throw new DocumentFault(`line ${index + 1} is not one of a go.mod`);
    } else if (words[1] === '(') block = words[0]!;
    else statements.push({ words, line: index + 1 });
  }
  return statements;
}

function wordAfter(statements: readonly Statement[], directive: string): string | null {
  return statements.find(({ words }) => words[0] === directive)?.words[1] ?? null;
}

function isBefore117(language: string | null): boolean {
  const [, minor] = /^1\.(\d+)/.exec(language ?? '') ?? [];
  return minor !== undefined && Number(minor) < 17;
}

function modulesOfSum(text: string): LockedPackage[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [path, version] = line.trim().split(/\s+/);
    return path === undefined || version === undefined || version.endsWith('/go.mod')
      ? []
      : [moduleOf(path, version, null)];
  });
}
