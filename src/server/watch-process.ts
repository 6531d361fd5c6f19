import module from 'node:module';
import { IS_BUILT } from '../program-files.ts';
import { nameSourceInStackTraces } from '../source-stack-traces.ts';

/** Entry module of the process that matches and delivers watches for a service. */

// Before all else: the parent may end while the modules are loaded.
const exit = (): never => process.exit();
process.on('disconnect', exit);
module.enableCompileCache();
if (IS_BUILT) nameSourceInStackTraces();
const { runWatchProcess } = await import('./run-watch-process.ts');
runWatchProcess();
process.off('disconnect', exit);
