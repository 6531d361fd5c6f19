import { announcedRoute, autonomousSystem } from '../../../sources/ripestat.ts';
import type { Context } from '../../../engine/context.ts';

/** The autonomous system that announces an address (BGP). All null: none does, or RIPEstat did not answer. */
export interface NetworkInfo {
  asn: number | null;
  asn_name: string | null;
  prefix: string | null;
}

/** Asks RIPEstat for the announced prefix of an address, its AS number and the holder. */
export async function lookUpNetwork(context: Context, ip: string): Promise<NetworkInfo> {
  const route = await context.ask(announcedRoute, { routeOf: ip });
  if (route.status !== 'ok') return { asn: null, asn_name: null, prefix: null };
  const { asns, prefix } = route.found;
  const [asn] = asns;
  if (asn === undefined) return { asn: null, asn_name: null, prefix };
  const system = await context.ask(autonomousSystem, { systemOf: asn });
  return { asn, asn_name: system.status === 'ok' ? system.found.holder : null, prefix };
}
