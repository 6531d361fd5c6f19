import { readFileSync } from 'node:fs';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { runLiveProcess } from '../../src/server/run-live-process.ts';
import { type LabPlan, netOptionsOf } from '../lab.ts';

/** The process that asks live sources, in a lab. */
const plan: LabPlan = JSON.parse(readFileSync(process.env['BENCH_LAB_PLAN']!, 'utf8'));
runLiveProcess(() => openNetworkClient(netOptionsOf(plan)));
