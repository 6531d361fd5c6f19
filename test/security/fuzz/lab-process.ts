import type { DsData } from '../../../src/analysis/dnssec/records.ts';
import { type DialPlan, openLab } from '../../lab/lab.ts';

/**
 * The lab in a process of its own, so that the memory and the time of the service are its alone.
 * Tells its parent where it is (advanced serialization: root keys are bytes), and closes when the parent lets go of it.
 */

export interface LabPlace {
  plan: DialPlan;
  dnsServers: string[];
  extraCa: string[];
  rootKeys: DsData[];
  sourceUrls: Map<string, string>;
}

const lab = await openLab();
const { dnsServers, extraCa, rootKeys } = lab.netOptions;
process.once('disconnect', () => void lab.close().then(() => process.exit(0)));
process.send?.({
  plan: lab.plan,
  dnsServers: [...(dnsServers ?? [])],
  extraCa: [...(extraCa ?? [])],
  rootKeys: [...(rootKeys ?? [])],
  sourceUrls: new Map(lab.sourceUrls),
} satisfies LabPlace);
