import { type Command, InvalidArgumentError, Option } from 'commander';
import { CHECK_NAMES, type CheckName, type ProblemSeverity } from '../../operations/code/lib/report/problem.ts';
import { DEPENDENCY_SCOPES, type DependencyScope } from '../../analysis/packages/dependency-scope.ts';
import { CHECK_FORMATS, type CheckFormat, isCheckFormat, missingChecks } from '../check/format-names.ts';
import { createJsonOption, wantsJson } from '../json-option.ts';
import { parseSeverity, type Severity, SEVERITIES } from '../../analysis/severity.ts';

interface CheckFlags {
  only: readonly CheckName[];
  failOn: ProblemSeverity;
  exclude: string[];
  omit: readonly DependencyScope[];
  parameters?: boolean;
  newSince?: string;
  history?: boolean;
  cache: boolean;
  format?: CheckFormat;
  sarif?: boolean;
  output: OutputFile[];
}

/** A report to be written. `format` null: the one that would be printed. */
interface OutputFile {
  format: CheckFormat | null;
  path: string;
}

const HELP_TEXT = `
Exit status:
  0  everything was read, and no finding that counts is as severe as --fail-on
  1  a finding that counts is as severe as --fail-on
  2  wrong usage
  6  no finding is as severe as --fail-on, but some files could not be read or checked; the report lists them

Formats of --format and --output:
${Object.entries(CHECK_FORMATS)
  .map(([name, text]) => `  ${name.padEnd(27)} ${text}`)
  .join('\n')}

Suppressed findings do not count: those that a comment on the line or the line above names
("sextant-ignore <rule-id>: <reason> [until YYYY-MM-DD]"), and those that .sextant-suppressions.yaml in the folder names (docs/check.md).

The file .sextantignore in the folder lists paths to leave out, in the format of .gitignore. Links are not followed. Folders of
third-party code and tools (node_modules, .git, virtual environments, ...) are not checked.`;

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('Check a project for vulnerable packages (lockfiles, SBOMs), and its code for secrets and injections.')
    .argument(
      '[paths...]',
      'folders and files; an archive of container images (docker save, OCI layout) by its name (default: this folder)',
    )
    .addOption(
      new Option('--only <checks>', `checks to run, comma-separated: ${CHECK_NAMES.join(', ')}`)
        .argParser(parseCheckNames)
        .default(CHECK_NAMES, 'all'),
    )
    .addOption(
      new Option('--fail-on <severity>', `lowest severity that makes the command fail: ${SEVERITIES.join(', ')}`)
        .argParser(parseFailOn)
        .default('HIGH'),
    )
    .option('--exclude <glob>', 'leave out paths that match a .gitignore pattern; may be repeated', appendPattern, [])
    .addOption(
      new Option(
        '--omit <scopes>',
        `leave out packages that are for these alone, comma-separated: ${DEPENDENCY_SCOPES.join(', ')}; may be repeated`,
      )
        .argParser(appendScopes)
        .default([], 'none'),
    )
    .option('--parameters', 'also report values that come from a parameter of a function, whose callers are not known')
    .option(
      '--new-since <report|revision>',
      'an earlier report (--json or --sarif), or a git revision: findings that it has do not count',
    )
    .option('--history', 'also look for secrets in the git history: every version of every file that a commit has')
    .option('--no-cache', 'check every file anew; else what an earlier run found in the same text is used')
    .addOption(
      new Option(
        '--format <format>',
        'what is printed; --json and --sarif are short for two (default: table)',
      ).argParser(parseFormat),
    )
    .option('--sarif', 'print a SARIF 2.1.0 log')
    .addOption(
      new Option(
        '--output <[format=]file>',
        'write the report to a file; with a format before "=" in addition to what is printed; may be repeated',
      )
        .argParser(appendOutput)
        .default([], 'none'),
    )
    .addOption(createJsonOption())
    .addHelpText('after', HELP_TEXT)
    .action(async (paths: string[], options: CheckFlags, command: Command) => {
      const printed = printedFormat(options, command);
      for (const format of [printed, ...options.output.map((file) => file.format ?? printed)]) {
        const missing = missingChecks(format, options.only);
        if (missing !== null) command.error(`error: ${format} needs one of these checks: ${missing.join(', ')}.`);
      }
      if (options.history === true && !options.only.includes('secrets'))
        command.error('error: --history looks for secrets: they must be among the checks of --only.');
      const start = new Date();
      const [{ checkPaths }, { formatReport, writeReport }, { UNLIMITED_WIDTH }, { EXIT_CODES }] = await Promise.all([
        import('../check/check-paths.ts'),
        import('../check/formats.ts'),
        import('../output.ts'),
        import('../../exit-codes.ts'),
      ]);
      const result = await checkPaths(paths.length === 0 ? ['.'] : paths, {
        checks: options.only,
        failOn: options.failOn,
        exclude: options.exclude,
        omit: new Set(options.omit),
        parameters: options.parameters === true,
        newSince: options.newSince ?? null,
        history: options.history === true,
        useCache: options.cache,
        now: start,
      });
      const { status } = result.failed ? EXIT_CODES.failed : result.complete ? EXIT_CODES.ok : EXIT_CODES.incomplete;
      const context = { status, start, end: new Date(), width: UNLIMITED_WIDTH };
      for (const { format, path } of options.output)
        writeReport(path, formatReport(format ?? printed, result, context));
      if (options.output.every(({ format }) => format !== null)) {
        const width = process.stdout.columns ?? UNLIMITED_WIDTH;
        process.stdout.write(formatReport(printed, result, { ...context, width }));
      }
      process.exitCode = status;
    });
}

function printedFormat({ sarif, format }: CheckFlags, command: Command): CheckFormat {
  const given = [
    ...(wantsJson(command) ? (['json'] as const) : []),
    ...(sarif === true ? (['sarif'] as const) : []),
    ...(format === undefined ? [] : [format]),
  ];
  if (new Set(given).size > 1) command.error('error: --format, --sarif and --json exclude each other: choose one.');
  return given[0] ?? 'table';
}

function parseFormat(text: string): CheckFormat {
  if (!isCheckFormat(text)) throw new InvalidArgumentError(`it is one of ${Object.keys(CHECK_FORMATS).join(', ')}.`);
  return text;
}

function appendOutput(text: string, files: readonly OutputFile[]): OutputFile[] {
  const [, name = null, path = ''] = /^(?:([\w-]+)=)?(.*)$/s.exec(text) ?? [];
  if (path === '') throw new InvalidArgumentError('it is a file, or a format and a file: sarif=check.sarif.');
  return [...files, { format: name === null ? null : parseFormat(name), path }];
}

function parseCheckNames(text: string): CheckName[] {
  return text.split(',').map((part) => {
    const name = part.trim().toLowerCase();
    const check = CHECK_NAMES.find((known) => known === name);
    if (check === undefined) throw new InvalidArgumentError(`there is no check "${name}": ${CHECK_NAMES.join(', ')}.`);
    return check;
  });
}

function parseFailOn(text: string): Severity {
  const severity = parseSeverity(text);
  if (severity === null) throw new InvalidArgumentError(`it is one of ${SEVERITIES.join(', ')}.`);
  return severity;
}

function appendScopes(text: string, scopes: readonly DependencyScope[]): DependencyScope[] {
  const added = text.split(',').map((part) => {
    const name = part.trim().toLowerCase();
    const scope = DEPENDENCY_SCOPES.find((known) => known === name);
    if (scope === undefined)
      throw new InvalidArgumentError(`there is no scope "${name}": ${DEPENDENCY_SCOPES.join(', ')}.`);
    return scope;
  });
  return [...scopes, ...added];
}

function appendPattern(pattern: string, patterns: string[]): string[] {
  return [...patterns, pattern];
}
