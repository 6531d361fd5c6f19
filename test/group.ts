import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cpuSecondsOfAll } from './support/cpu-time.ts';

/**
 * Runs the test files that are its arguments in this process, each as a suite, so that `before` and `after` of a file stay its own. One is loaded
 * when the one before has ended: loading takes seconds on a busy machine, in which the time limits of a running test would pass.
 */
for (const file of process.argv.slice(2)) {
  const ended = Promise.withResolvers<void>();
  void describe(file, async () => {
    after(() => ended.resolve());
    await import(pathToFileURL(file).href).catch((error: unknown) => {
      ended.resolve();
      throw error;
    });
  });
  await ended.promise;
}

// The runner reads it.
process.once('exit', () => process.stdout.write(`cpu_seconds ${cpuSecondsOfAll()}\n`));
