import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FindingType } from '../../src/analysis/injection/findings.ts';
import { installNpmPeer } from '../npm-peer.ts';
import type { LabelledProgram } from './labelled-programs.ts';

/** Another tool for programs of some languages. */
export interface InjectionPeer {
  /** With version. */
  readonly tool: string;
  readonly languages: readonly string[];
  /** What it reports in each program: `4 sql_injection`. */
  check(programs: readonly LabelledProgram[]): ReadonlySet<string>[];
}

/** Tests of bandit that report what these types mean; others report the use of a module, whatever its arguments. */
const BANDIT_TESTS: Readonly<Record<string, FindingType>> = {
  B202: 'path_traversal',
  B601: 'command_injection',
  B602: 'command_injection',
  B603: 'command_injection',
  B604: 'command_injection',
  B605: 'command_injection',
  B606: 'command_injection',
  B607: 'command_injection',
  B608: 'sql_injection',
  B609: 'command_injection',
  B610: 'sql_injection',
  B611: 'sql_injection',
};

/** bandit of Debian, for Python; null: it is not installed. */
export function banditPeer(): InjectionPeer | null {
  const version = spawnSync('bandit', ['--version'], { encoding: 'utf8' });
  if (version.status !== 0) return null;
  return {
    tool: version.stdout.split('\n')[0]!.trim(),
    languages: ['python'],
    check(programs) {
      const folder = mkdtempSync(join(tmpdir(), 'bandit-'));
      for (const [index, { code }] of programs.entries()) writeFileSync(join(folder, `${index}.py`), code);
      const { stdout } = spawnSync('bandit', ['-r', '-f', 'json', '-q', folder], {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      rmSync(folder, { recursive: true });
      const found = programs.map(() => new Set<string>());
      const { results } = JSON.parse(stdout) as {
        results: { filename: string; test_id: string; line_number: number; line_range: number[] }[];
      };
      for (const { filename, test_id, line_range } of results) {
        const type = BANDIT_TESTS[test_id];
        const index = Number(/(\d+)\.py$/.exec(filename)?.[1]);
        // It reports a statement of several lines at one of them.
        if (type !== undefined) for (const line of line_range) found[index]!.add(`${line} ${type}`);
      }
      return found;
    },
  };
}

const ESLINT_RULES: Readonly<Record<string, FindingType>> = {
  'security/detect-child-process': 'command_injection',
  'security/detect-non-literal-fs-filename': 'path_traversal',
  'security/detect-non-literal-require': 'path_traversal',
};

interface EslintLinter {
  verify(code: string, config: unknown, options: { filename: string }): { ruleId: string | null; line: number }[];
}

/** eslint-plugin-security of npm, for JavaScript and TypeScript; null: it cannot be installed. It has no rule for SQL. */
export function eslintPeer(folder: string): InjectionPeer | null {
  const eslint = installNpmPeer(folder, 'eslint', '9');
  const plugin = installNpmPeer(folder, 'eslint-plugin-security', '4');
  const parser = installNpmPeer(folder, '@typescript-eslint/parser', '8');
  if (eslint === null || plugin === null || parser === null) return null;
  const { Linter } = eslint.load() as { Linter: new () => EslintLinter };
  const config = {
    files: ['**/*.js', '**/*.ts'],
    plugins: { security: plugin.load() },
    rules: Object.fromEntries(Object.keys(ESLINT_RULES).map((rule) => [rule, 'error'])),
    languageOptions: { parser: parser.load() },
  };
  return {
    tool: plugin.tool,
    languages: ['javascript', 'typescript'],
    check(programs) {
      const linter = new Linter();
      return programs.map(({ code, language }) => {
        const filename = language === 'typescript' ? 'program.ts' : 'program.js';
        const messages = linter.verify(code, [config], { filename });
        return new Set(
          messages.flatMap(({ ruleId, line }) => {
            const type = ruleId === null ? undefined : ESLINT_RULES[ruleId];
            return type === undefined ? [] : [`${line} ${type}`];
          }),
        );
      });
    },
  };
}
