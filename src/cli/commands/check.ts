import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, wantsJson } from '../options.ts';

const CHECKS = ['dependencies', 'secrets', 'injection'];
const LEAST = ['critical', 'high', 'medium', 'low'];

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
        .default('low'),
    )
    .option('--sarif', 'a SARIF 2.1.0 log on standard output, for code scanning')
    .addOption(jsonOption())
    .action(async (path: string, options: { only: string[]; failOn: string; sarif?: boolean }, command: Command) => {
      const [{ checkPath }, { sarifLog }, { reportLines }, { show }, { EXIT }] = await Promise.all([
        import('../check/check-path.ts'),
        import('../check/sarif.ts'),
        import('../check/view.ts'),
        import('../output.ts'),
        import('../exit.ts'),
      ]);
      const report = await checkPath(path, {
        checks: options.only as ('dependencies' | 'secrets' | 'injection')[],
        failOn: options.failOn as 'critical' | 'high' | 'medium' | 'low',
      });
      const { problems, ...document } = report;
      if (options.sarif === true) show(true, sarifLog(problems, report.notes), () => []);
      else show(wantsJson(command), document, (width) => reportLines(report, width));
      process.exitCode = report.failed ? EXIT.failed.status : EXIT.ok.status;
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
