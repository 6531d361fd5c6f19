import { readConfig } from './config.ts';
import { serve } from './cli/serve.ts';
import { runSync } from './cli/sync.ts';
import { SOURCE_IDS } from './services.ts';
const config = readConfig(SOURCE_IDS);
const command = process.argv[2];
if (command === 'serve') await serve(config);
else if (command === 'sync') {
  const outcome = await runSync(config, { ids: [], due: process.argv.includes('--due'), signal: new AbortController().signal, report: (e) => (process.send ? process.send(e) : e.type !== 'file' && console.log(JSON.stringify(e))) });
  process.disconnect?.();
  process.exitCode = outcome === null || outcome.failed.length > 0 ? 1 : 0;
}
