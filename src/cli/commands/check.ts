import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, wantsJson } from '../options.ts';

const CHECKS = ['dependencies', 'secrets', 'injection'];
const LEAST = ['critical', 'high', 'medium', 'low'];

interface Given {
  only: string[];
  failOn: string;
  exclude: string[];
  omit?: string;
  parameters?: boolean;
  sarif?: boolean;
}

const HELP = `
Ends with 0 when everything was read and nothing found is as bad as --fail-on; 1 when something is; 6 when nothing is, but not
everything could be read or checked (what, is said); 2 on wrong usage.

A file .sextantignore in the folder leaves paths out, in the form of .gitignore. Links are not followed; node_modules, .git, virtual
environments and the like are passed over.`;

export function checkCommand(program: Command): void {
  program
    .command('check')
    .description('Check a project: packages of its lockfiles and SBOMs, secrets and injections in its code.')
    .argument('[path]', 'a folder, or one file', '.')
    .addOption(
      new Option('--only <checks>', `some of ${CHECKS.join(', ')}, with commas between them`)
        .argParser(someChecks)
        .default(CHECKS, 'all'),
    )
    .addOption(
      new Option('--fail-on <severity>', `end with 1 when something this bad is found: ${LEAST.join(', ')}`)
        .argParser(oneSeverity)
        .default('high'),
    )
    .option(
      '--exclude <glob>',
      'leave paths out, as a line of .gitignore would; may be given several times',
      collect,
      [],
    )
    .addOption(new Option('--omit <scope>', 'leave out packages that are for development alone').choices(['dev']))
    .option(
      '--parameters',
      'also report values that only a parameter of a function brings, whose callers are not known',
    )
    .option('--sarif', 'a SARIF 2.1.0 log on standard output, for code scanning')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (path: string, options: Given, command: Command) => {
      if (options.sarif === true && wantsJson(command))
        command.error('error: --sarif and --json are two documents: choose one.');
      const [{ checkPath }, { sarifLog }, { reportLines }, { show }, { EXIT }] = await Promise.all([
        import('../check/check-path.ts'),
        import('../check/sarif.ts'),
        import('../check/view.ts'),
        import('../output.ts'),
        import('../../exit.ts'),
      ]);
      const report = await checkPath(path, {
        checks: options.only as ('dependencies' | 'secrets' | 'injection')[],
        failOn: options.failOn as 'critical' | 'high' | 'medium' | 'low',
        exclude: options.exclude,
        omitDev: options.omit === 'dev',
        parameters: options.parameters === true,
      });
      const { status } = report.failed ? EXIT.failed : report.complete ? EXIT.ok : EXIT.incomplete;
      const { problems: _problems, ...document } = report;
      if (options.sarif === true) show(true, sarifLog(report, status), () => []);
      else show(wantsJson(command), document, (width) => reportLines(report, width));
      process.exitCode = status;
    });
}

function someChecks(text: string): string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const wrong = names.find((name) => !CHECKS.includes(name));
  if (wrong !== undefined) throw new InvalidArgumentError(`there is no check "${wrong}": ${CHECKS.join(', ')}.`);
  return names;
}

function oneSeverity(text: string): string {
  const name = text.toLowerCase();
  if (!LEAST.includes(name)) throw new InvalidArgumentError(`it is one of ${LEAST.join(', ')}.`);
  return name;
}

function collect(pattern: string, before: string[]): string[] {
  return [...before, pattern];
}
