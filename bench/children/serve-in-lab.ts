import { forkServiceProcess } from '../../src/server/live-runner.ts';
import { startService } from '../../src/server/service.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../../src/server/runner-deps.ts';

/** The service, whose way out leads into a lab in another process. */
const config = readConfig(CONFIGURABLE_SOURCE_IDS);
const service = await startService(config, {
  logger: createLogger(config),
  startLiveProcess: () =>
    forkServiceProcess(new URL('../../test/lab/live-in-lab.ts', import.meta.url), [process.env['BENCH_LAB_PLAN']!]),
});
process.on('SIGTERM', () => void service.stop().then(() => process.exit()));
process.on('disconnect', () => process.exit());
