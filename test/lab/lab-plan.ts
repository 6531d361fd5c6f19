import type { DsData } from '../../src/analysis/dnssec/records.ts';
import type { NetworkClientOptions } from '../../src/net/network-client.ts';
import { type DialPlan, dialBy, type Lab } from './lab.ts';

/** A lab as JSON, for a process that reaches it. */
export interface LabPlan {
  dial: DialPlan;
  dnsServers: readonly string[];
  extraCa: readonly string[];
  /** Keys of its DNS root, digests in hex. */
  rootKeys: readonly (Omit<DsData, 'digest'> & { digest: string })[];
  sourceUrls: Readonly<Record<string, string>>;
  hosts: readonly string[];
}

export function labPlanOf(lab: Lab): LabPlan {
  return {
    dial: lab.plan,
    dnsServers: lab.netOptions.dnsServers,
    extraCa: lab.netOptions.extraCa,
    rootKeys: [{ ...lab.dns.trustAnchor, digest: lab.dns.trustAnchor.digest.toString('hex') }],
    sourceUrls: Object.fromEntries(lab.sourceUrls),
    hosts: lab.hosts.map(({ host }) => host),
  };
}

/** For a way out that leads into the lab, and nowhere else. */
export function netOptionsOf({ dial, dnsServers, extraCa, rootKeys }: LabPlan): NetworkClientOptions {
  const escaped = (): never => {
    throw new Error('it dialled what is no part of the lab');
  };
  return {
    dnsServers,
    extraCa,
    rootKeys: rootKeys.map((key) => ({ ...key, digest: Buffer.from(key.digest, 'hex') })),
    allowedPrivate: [],
    proxy: null,
    mapEndpoint: dialBy(dial, escaped),
  };
}
