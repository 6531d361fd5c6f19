import { readFileSync } from 'node:fs';
import { startService } from '../../src/server/service.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../../src/server/runner-deps.ts';
import { type LabPlan, netOptionsOf } from '../lab.ts';

/** The service, whose way out leads into a lab in another process. */
const plan: LabPlan = JSON.parse(readFileSync(process.env['BENCH_LAB_PLAN']!, 'utf8'));
const config = readConfig(CONFIGURABLE_SOURCE_IDS);
const net = openNetworkClient(netOptionsOf(plan));
const service = await startService(config, { logger: createLogger(config.logLevel), net });
process.on('SIGTERM', () => void service.stop().then(() => process.exit()));
process.on('disconnect', () => process.exit());
