import { type IpNetwork, formatNetwork, maskToPrefix, parseIpNetwork } from '../../ip-network.ts';

/** Who may send by one term of an SPF record. */
export interface SpfSender {
  /** The term as written: `include:_spf.example.net`, `ip4:192.0.2.0/24`, `mx`. */
  term: string;
  /** The service that the term includes; null: no known one, or none. */
  service: string | null;
  /** CIDRs, each once, those within others left out. */
  networks: readonly string[];
  /** False: networks are missing, as a term depends on the message (`exists`, `ptr`, macros) or the DNS did not answer. */
  isComplete: boolean;
}

/** Collects the networks of one term while its includes are read. */
export class SenderCollector {
  readonly term: string;
  readonly service: string | null;
  readonly #networks = new Map<string, IpNetwork>();
  isComplete = true;

  constructor(term: string, service: string | null) {
    this.term = term;
    this.service = service;
  }

  add(address: string, prefix: number): void {
    const network = parseIpNetwork(`${address}/${prefix}`);
    if (network !== null) this.#networks.set(formatNetwork(network.prefix, network.bits), network);
  }

  toSender(): SpfSender {
    const all = [...this.#networks.values()];
    const networks = all
      .filter((network) => !all.some((other) => other !== network && contains(other, network)))
      .map(({ prefix, bits }) => formatNetwork(prefix, bits));
    return { term: this.term, service: this.service, networks, isComplete: this.isComplete };
  }
}

function contains(outer: IpNetwork, inner: IpNetwork): boolean {
  return (
    outer.family === inner.family &&
    outer.bits < inner.bits &&
    maskToPrefix(inner.prefix, outer.bits).every((byte, at) => byte === outer.prefix[at])
  );
}

/** How many IPv4 addresses the networks hold together, each counted once. */
export function countIpv4Addresses(networks: readonly string[]): number {
  const ranges = networks
    .map(parseIpNetwork)
    .filter((network) => network?.family === 4)
    .map((network) => {
      const start = network!.prefix.reduce((sum, byte) => sum * 256 + byte, 0);
      return { start, end: start + 2 ** (32 - network!.bits) };
    })
    .sort((a, b) => a.start - b.start);
  let total = 0;
  let counted = 0;
  for (const { start, end } of ranges) {
    total += Math.max(0, end - Math.max(start, counted));
    counted = Math.max(counted, end);
  }
  return total;
}
