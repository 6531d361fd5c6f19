import { type Command, InvalidArgumentError, Option } from 'commander';
import { CHECK_NAMES, type CheckName, type ProblemSeverity } from '../../operations/code/lib/report/problem.ts';
import { createJsonOption, wantsJson } from '../json-option.ts';
import { parseSeverity, type Severity, SEVERITIES } from '../../analysis/severity.ts';

interface CheckFlags {
  only: readonly CheckName[];
  failOn: ProblemSeverity;
  exclude: string[];
  omit?: string;
  parameters?: boolean;
  sarif?: boolean;
}

const HELP_TEXT = `
Exit status:
  0  everything was read, and no finding is as severe as --fail-on
  1  a finding is as severe as --fail-on
  2  wrong usage
  6  no finding is as severe as --fail-on, but some files could not be read or checked; the report lists them

The file .sextantignore in the folder lists paths to leave out, in the format of .gitignore. Links are not followed. Folders of
third-party code and tools (node_modules, .git, virtual environments, ...) are not checked.`;

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('Check a project for vulnerable packages (lockfiles, SBOMs), and its code for secrets and injections.')
    .argument('[path]', 'a folder, or one file', '.')
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
    .addOption(new Option('--omit <scope>', 'leave out packages that are only for development').choices(['dev']))
    .option('--parameters', 'also report values that come from a parameter of a function, whose callers are not known')
    .option('--sarif', 'print a SARIF 2.1.0 log, for code scanning')
    .addOption(createJsonOption())
    .addHelpText('after', HELP_TEXT)
    .action(async (path: string, options: CheckFlags, command: Command) => {
      if (options.sarif === true && wantsJson(command))
        command.error('error: --sarif and --json exclude each other: choose one.');
      const [{ checkPath }, { sarifLog }, { reportLines }, { printOutput }, { EXIT_CODES }] = await Promise.all([
        import('../check/check-path.ts'),
        import('../../operations/code/lib/report/sarif.ts'),
        import('../check/report-view.ts'),
        import('../output.ts'),
        import('../../exit-codes.ts'),
      ]);
      const report = await checkPath(path, {
        checks: options.only,
        failOn: options.failOn,
        exclude: options.exclude,
        omitDev: options.omit === 'dev',
        parameters: options.parameters === true,
      });
      const { status } = report.failed ? EXIT_CODES.failed : report.complete ? EXIT_CODES.ok : EXIT_CODES.incomplete;
      const { problems: _problems, ...document } = report;
      if (options.sarif === true) printOutput(true, sarifLog(report, status), () => []);
      else printOutput(wantsJson(command), document, (width) => reportLines(report, width));
      process.exitCode = status;
    });
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

function appendPattern(pattern: string, patterns: string[]): string[] {
  return [...patterns, pattern];
}
