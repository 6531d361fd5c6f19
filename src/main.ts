import module from 'node:module';
import { IS_BUILT } from './program-files.ts';
import { nameSourceInStackTraces } from './source-stack-traces.ts';

module.enableCompileCache();
if (IS_BUILT) nameSourceInStackTraces();
const { runCommandLine } = await import('./cli/program.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
