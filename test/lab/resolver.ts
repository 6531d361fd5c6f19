import { type DelegationSigner, ZoneSigner } from './dnssec.ts';
import { addRecord, isBelow, nameExists, parentName, type Rr, readZone, TTL, type Zone, zoneOf } from './zone.ts';
import type { ZoneData } from './zones.ts';

export interface Resolved {
  rcode: 'NOERROR' | 'NXDOMAIN';
  answers: Rr[];
  authorities: Rr[];
  /** As a validating resolver would judge the zones that were passed. */
  security: 'secure' | 'insecure' | 'bogus';
}

const MAX_ALIASES = 10;
const BOGUS = new Set(['expired', 'tampered', 'stripped', 'wrong-ds']);

/** Answers as a resolver does that has asked everybody: aliases are followed, signatures and proofs handed out. */
export class Resolver {
  readonly zones: readonly Zone[];
  readonly #signers = new Map<Zone, ZoneSigner>();

  constructor(data: readonly ZoneData[], addresses: ReadonlyMap<string, readonly string[]>) {
    this.zones = data.map(readZone);
    for (const [host, own] of addresses) for (const address of own) this.#addAddress(host, address);
    for (const zone of this.zones) if (zone.name !== '') this.#delegate(zone);
  }

  get trustAnchor(): DelegationSigner {
    return this.#signerOf(zoneOf(this.zones, ''))!.delegation;
  }

  resolve(asked: string, type: string, signed: boolean): Resolved {
    const found: Resolved = { rcode: 'NOERROR', answers: [], authorities: [], security: 'secure' };
    const chain = [asked];
    while (chain.length <= MAX_ALIASES) {
      const name = chain.at(-1)!;
      const next = this.#step(name, type, signed, found);
      if (next === null || chain.includes(next)) break;
      chain.push(next);
    }
    return found;
  }

  /** Adds what one zone says of a name; gives the name that it is an alias of. */
  #step(name: string, type: string, signed: boolean, found: Resolved): string | null {
    const zone = this.#answering(name, type);
    const signer = this.#signerOf(zone);
    found.security = worse(found.security, this.#securityOf(zone));
    const sign = signed && signer !== null && zone.signing !== 'stripped';
    const withSignature = (records: readonly Rr[], owner?: string): Rr[] =>
      sign && records.length > 0 ? [...records, signer.signature(records, owner)] : [...records];
    const { node, owner } = nodeOf(zone, name);
    const soa = zone.nodes.get(zone.name)!.get('SOA')!;
    const deny = (proofs: () => Rr[]): void => {
      found.authorities.push(...withSignature(soa));
      if (sign) for (const proof of proofs()) found.authorities.push(...withSignature([proof]));
    };
    if (node === null) {
      if (nameExists(zone, name)) deny(() => signer!.denyType(name));
      else {
        found.rcode = 'NXDOMAIN';
        deny(() => signer!.denyName(name));
      }
      return null;
    }
    const named = (records: readonly Rr[]): Rr[] => records.map((record) => ({ ...record, name }) as Rr);
    const alias = type === 'CNAME' ? undefined : node.get('CNAME');
    const records = type === 'RRSIG' && signer !== null ? this.#signatures(node, signer) : (alias ?? node.get(type));
    if (records === undefined) {
      deny(() => signer!.denyType(owner));
      return null;
    }
    if (type === 'RRSIG') found.answers.push(...records);
    else found.answers.push(...withSignature(named(records), owner));
    if (owner !== name && sign)
      for (const proof of signer.denyName(name).slice(0, 1)) found.authorities.push(...withSignature([proof]));
    return alias === undefined ? null : String(alias[0]!.data);
  }

  /** DS records are the zone's above. */
  #answering(name: string, type: string): Zone {
    const zone = zoneOf(this.zones, name);
    return type === 'DS' && name === zone.name && name !== '' ? zoneOf(this.zones, parentName(name)) : zone;
  }

  #signatures(node: ReadonlyMap<string, Rr[]>, signer: ZoneSigner): Rr[] {
    return signer.zone.signing === 'stripped' ? [] : [...node.values()].map((records) => signer.signature(records));
  }

  #securityOf(zone: Zone): Resolved['security'] {
    const above = this.zones.filter(({ name }) => isBelow(zone.name, name));
    if (above.some(({ signing }) => signing === null || signing === 'no-ds')) return 'insecure';
    return above.some(({ signing }) => BOGUS.has(signing!)) ? 'bogus' : 'secure';
  }

  /** Made when the zone is first asked: some keys take their time. */
  #signerOf(zone: Zone): ZoneSigner | null {
    if (zone.signing === null) return null;
    if (!this.#signers.has(zone)) this.#signers.set(zone, new ZoneSigner(zone));
    return this.#signers.get(zone)!;
  }

  #addAddress(host: string, address: string): void {
    const type = address.includes(':') ? 'AAAA' : 'A';
    addRecord(zoneOf(this.zones, host), { name: host, type, ttl: TTL, data: address });
    const reverse = reverseName(address);
    addRecord(zoneOf(this.zones, reverse), { name: reverse, type: 'PTR', ttl: TTL, data: host });
  }

  #delegate(zone: Zone): void {
    const above = zoneOf(this.zones, parentName(zone.name));
    for (const server of ['ns1.lab', 'ns2.lab'])
      addRecord(above, { name: zone.name, type: 'NS', ttl: TTL, data: server });
    if (zone.signing === null || zone.signing === 'no-ds') return;
    const signer = (): ZoneSigner => this.#signerOf(zone)!;
    addRecord(above, {
      name: zone.name,
      type: 'DS',
      ttl: TTL,
      get data() {
        return signer().delegation;
      },
    });
  }
}

function nodeOf(zone: Zone, name: string): { node: ReadonlyMap<string, Rr[]> | null; owner: string } {
  const node = zone.nodes.get(name);
  if (node !== undefined) return { node, owner: name };
  if (nameExists(zone, name)) return { node: null, owner: name };
  for (let above = parentName(name); isBelow(above, zone.name); above = parentName(above)) {
    const wildcard = above === '' ? '*' : `*.${above}`;
    const expanded = zone.nodes.get(wildcard);
    if (expanded !== undefined) return { node: expanded, owner: wildcard };
    if (above === zone.name || nameExists(zone, above)) break;
  }
  return { node: null, owner: name };
}

function worse(a: Resolved['security'], b: Resolved['security']): Resolved['security'] {
  return a === 'bogus' || b === 'bogus' ? 'bogus' : a === 'insecure' || b === 'insecure' ? 'insecure' : 'secure';
}

/** `1.0.57.5.in-addr.arpa`, or the nibbles below `ip6.arpa`. */
export function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  const [left = '', right = ''] = address.split('::');
  const groups = (part: string): string[] =>
    part === '' ? [] : part.split(':').map((group) => group.padStart(4, '0'));
  const [head, tail] = [groups(left), groups(right)];
  const middle = Array.from({ length: 8 - head.length - tail.length }, () => '0000');
  return `${[...head, ...middle, ...tail].join('').split('').toReversed().join('.')}.ip6.arpa`;
}
