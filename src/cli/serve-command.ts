import { isTextLog } from '../log.ts';
import { serve } from '../server/serve.ts';
import { loadConfig } from './load-config.ts';

/**
 * `sextant serve`, with overrides of settings from the command line. The build joins this apart from the other commands: what commands
 * have in common is split into many files, and the service would start with twice as many. Failures are reported here, because the
 * classes of errors differ from those of the program then.
 */
export async function runServeCommand(overrides: Readonly<Record<string, string>>, json: boolean): Promise<void> {
  try {
    const config = loadConfig(overrides);
    const greeter = isTextLog(config) ? (await import('./serve-greeter.ts')).createServeGreeter(config) : null;
    await serve(config, greeter);
  } catch (error) {
    const { reportFailure } = await import('./report-failure.ts');
    process.exitCode = reportFailure(error, json);
  }
}
