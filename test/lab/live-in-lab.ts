import { readFileSync } from 'node:fs';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { runLiveProcess } from '../../src/server/run-live-process.ts';
import { type LabPlan, netOptionsOf } from './lab-plan.ts';

/** The process that asks live sources, in the lab whose plan is in the file that the first argument names. */
runLiveProcess(() => openNetworkClient(netOptionsOf(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as LabPlan)));
