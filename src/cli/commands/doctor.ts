import type { Command } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check this installation: program, settings, data folder, catalog, feed addresses, port.')
    .option('--online', 'also check whether the upstreams and live sources answer')
    .addOption(createJsonOption())
    .action(async (options: { online?: boolean }, command: Command) => {
      const [{ runDoctorChecks }, { doctorResultLines }, { printOutput }, { EXIT_CODES }] = await Promise.all([
        import('../doctor/run-doctor-checks.ts'),
        import('../doctor/doctor-view.ts'),
        import('../output.ts'),
        import('../../exit-codes.ts'),
      ]);
      const findings = await runDoctorChecks(options.online === true);
      const ok = findings.every(({ state }) => state !== 'wrong');
      printOutput(wantsJson(command), { ok, findings }, (width) => doctorResultLines(findings, width));
      process.exitCode = ok ? EXIT_CODES.ok.status : EXIT_CODES.failed.status;
    });
}
