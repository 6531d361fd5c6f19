import type { Answer } from 'dns-packet';
import type { Signing, ZoneData } from './zones.ts';

export const TTL = 300;

/** A record as `dns-packet` writes it. */
export type Rr = Answer & { ttl: number; data: unknown };

/** A zone with its records, by name and type; names in lower case without the final dot, the root is ''. */
export interface Zone {
  name: string;
  signing: Signing | null;
  algorithm: 8 | 13 | 15;
  nodes: Map<string, Map<string, Rr[]>>;
}

export function readZone({ name, signing, algorithm, records }: ZoneData): Zone {
  const zone: Zone = { name, signing: signing ?? null, algorithm: algorithm ?? 13, nodes: new Map() };
  const mname = 'ns1.lab';
  const soa = {
    mname,
    rname: 'hostmaster.lab',
    serial: 2026010101,
    refresh: 7200,
    retry: 3600,
    expire: 1209600,
    minimum: 300,
  };
  addRecord(zone, { name, type: 'SOA', ttl: TTL, data: soa });
  for (const server of ['ns1.lab', 'ns2.lab']) addRecord(zone, { name, type: 'NS', ttl: TTL, data: server });
  for (const line of records.split('\n').filter((text) => text.trim() !== '')) addRecord(zone, readRecord(line, name));
  return zone;
}

export function addRecord(zone: Zone, record: Rr): void {
  const name = record.name;
  if (!zone.nodes.has(name)) zone.nodes.set(name, new Map());
  const node = zone.nodes.get(name)!;
  node.set(record.type, [...(node.get(record.type) ?? []), record]);
}

/** True for a name of the zone, and for one that only stands above such names (empty non-terminal). */
export function nameExists(zone: Zone, name: string): boolean {
  return zone.nodes.has(name) || [...zone.nodes.keys()].some((other) => other.endsWith(`.${name}`));
}

export function isBelow(name: string, ancestor: string): boolean {
  return ancestor === '' || name === ancestor || name.endsWith(`.${ancestor}`);
}

/** The deepest zone that holds a name. */
export function zoneOf(zones: readonly Zone[], name: string): Zone {
  return zones
    .filter((zone) => isBelow(name, zone.name))
    .reduce((deepest, zone) => (zone.name.length > deepest.name.length ? zone : deepest));
}

export function parentName(name: string): string {
  return name.includes('.') ? name.slice(name.indexOf('.') + 1) : '';
}

function readRecord(line: string, origin: string): Rr {
  const [, owner, type, text] = /^\s*(\S+)\s+([A-Z]+)\s+(.*?)\s*$/.exec(line)!;
  const name = absolute(owner!, origin);
  const [first = '', second = '', third = '', fourth = ''] = text!.split(/\s+/);
  const data = (): unknown => {
    switch (type) {
      case 'MX':
        return { preference: Number(first), exchange: absolute(second, origin) };
      case 'NS':
      case 'CNAME':
      case 'PTR':
        return absolute(first, origin);
      case 'TXT':
        return text!.slice(1, -1).match(/.{1,255}/g) ?? [''];
      case 'CAA':
        return { flags: Number(first), tag: second, value: third.slice(1, -1) };
      case 'TLSA':
        return {
          usage: Number(first),
          selector: Number(second),
          matchingType: Number(third),
          certificate: Buffer.from(fourth, 'hex'),
        };
      default:
        return first;
    }
  };
  return { name, type, ttl: TTL, data: data() } as Rr;
}

function absolute(name: string, origin: string): string {
  if (name === '@') return origin;
  if (name.endsWith('.')) return name.slice(0, -1);
  return origin === '' ? name : `${name}.${origin}`;
}
