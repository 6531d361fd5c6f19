import type { NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { type Lab, openLab } from '../lab/lab.ts';

/** The lab, and a network client for which it is the internet. `ends` gets what closes both. */
export async function openLabNetwork(ends: (() => void | Promise<void>)[]): Promise<{ lab: Lab; net: NetworkClient }> {
  const lab = await openLab();
  const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  ends.push(
    () => lab.close(),
    () => net.close(),
  );
  return { lab, net };
}
