import module from 'node:module';
import { runLiveProcess } from './run-live-process.ts';

/** Entry module of the process that asks live sources for a service. */
module.enableCompileCache();
runLiveProcess();
