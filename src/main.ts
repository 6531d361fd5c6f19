import module from 'node:module';
import { IS_BUILT } from './program-files.ts';
import { nameSourceInStackTraces } from './source-stack-traces.ts';

const MIN_NODE_MAJOR = 26;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE_MAJOR) {
  process.stderr.write(`sextant: needs Node ${MIN_NODE_MAJOR} or newer; this is ${process.version}\n`);
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  if (IS_BUILT) nameSourceInStackTraces();
  const { runCommandLine } = await import('./cli/program.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
