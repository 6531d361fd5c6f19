import module from 'node:module';
import { IS_BUILT } from '../program-files.ts';
import { nameSourceInStackTraces } from '../source-stack-traces.ts';

/** Entry module of the process that asks live sources for a service. */

// Before all else: the parent may end while the modules are loaded.
process.on('disconnect', () => process.exit());
module.enableCompileCache();
if (IS_BUILT) nameSourceInStackTraces();
const { runLiveProcess } = await import('./run-live-process.ts');
runLiveProcess();
