import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cpuSecondsOfAll } from './support/cpu-time.ts';

/** Runs the test files that are its arguments in this process, each as a suite, so that `before` and `after` of a file stay its own. */
for (const file of process.argv.slice(2)) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  void describe(file, () => import(pathToFileURL(file).href).then(() => resolve(), reject));
  await promise;
}

// The runner reads it.
process.once('exit', () => process.stdout.write(`cpu_seconds ${cpuSecondsOfAll()}\n`));
