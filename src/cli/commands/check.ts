import { type Command, InvalidArgumentError, Option } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

const CHECK_NAMES = ['dependencies', 'secrets', 'injection'];
const FAIL_ON_SEVERITIES = ['critical', 'high', 'medium', 'low'];

interface CheckFlags {
  only: string[];
  failOn: string;
  exclude: string[];
  omit?: string;
  parameters?: boolean;
  sarif?: boolean;
}

const EXIT_STATUS_HELP = `
Ends with 0 when everything was read and nothing found is as bad as --fail-on; 1 when something is; 6 when nothing is, but not
everything could be read or checked (what, is said); 2 on wrong usage.

A file .sextantignore in the folder leaves paths out, in the form of .gitignore. Links are not followed; node_modules, .git, virtual
environments and the like are passed over.`;

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('Check a project: packages of its lockfiles and SBOMs, secrets and injections in its code.')
    .argument('[path]', 'a folder, or one file', '.')
    .addOption(
      new Option('--only <checks>', `some of ${CHECK_NAMES.join(', ')}, with commas between them`)
        .argParser(parseCheckNames)
        .default(CHECK_NAMES, 'all'),
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        `end with 1 when something this bad is found: ${FAIL_ON_SEVERITIES.join(', ')}`,
      )
        .argParser(parseSeverity)
        .default('high'),
    )
    .option(
      '--exclude <glob>',
      'leave paths out, as a line of .gitignore would; may be given several times',
      appendPattern,
      [],
    )
    .addOption(new Option('--omit <scope>', 'leave out packages that are for development alone').choices(['dev']))
    .option(
      '--parameters',
      'also report values that only a parameter of a function brings, whose callers are not known',
    )
    .option('--sarif', 'a SARIF 2.1.0 log on standard output, for code scanning')
    .addOption(createJsonOption())
    .addHelpText('after', EXIT_STATUS_HELP)
    .action(async (path: string, options: CheckFlags, command: Command) => {
      if (options.sarif === true && wantsJson(command))
        command.error('error: --sarif and --json are two documents: choose one.');
      const [{ checkPath }, { sarifLog }, { reportLines }, { printOutput }, { EXIT_CODES }] = await Promise.all([
        import('../check/check-path.ts'),
        import('../check/sarif.ts'),
        import('../check/report-view.ts'),
        import('../output.ts'),
        import('../../exit-codes.ts'),
      ]);
      const report = await checkPath(path, {
        checks: options.only as ('dependencies' | 'secrets' | 'injection')[],
        failOn: options.failOn as 'critical' | 'high' | 'medium' | 'low',
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

function parseCheckNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const wrong = names.find((name) => !CHECK_NAMES.includes(name));
  if (wrong !== undefined) throw new InvalidArgumentError(`there is no check "${wrong}": ${CHECK_NAMES.join(', ')}.`);
  return names;
}

function parseSeverity(text: string): string {
  const name = text.toLowerCase();
  if (!FAIL_ON_SEVERITIES.includes(name))
    throw new InvalidArgumentError(`it is one of ${FAIL_ON_SEVERITIES.join(', ')}.`);
  return name;
}

function appendPattern(pattern: string, patterns: string[]): string[] {
  return [...patterns, pattern];
}
