import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serve } from '../../src/server/serve.ts';
import { readConfig } from '../../src/config.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../../src/server/runner-deps.ts';

/** The delay of the service's event loop, in milliseconds. */
export interface LoopDelay {
  p50: number;
  p99: number;
  max: number;
}

/** The service as `sextant serve` runs it, which also tells how late its event loop was: since `reset`, at `report`. */
const delay = monitorEventLoopDelay({ resolution: 1 });
const ms = (nanoseconds: number): number => nanoseconds / 1e6;

process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  else process.send!({ p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) });
});
process.on('disconnect', () => process.exit());
delay.enable();
await serve(readConfig(CONFIGURABLE_SOURCE_IDS));
