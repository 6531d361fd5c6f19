import type { MailDns, MxRecord } from '../../src/analysis/email/mail-dns.ts';

/** Records by type; `fails`: the resolver fails for this type. MX: `[preference, host]`. */
export type ZoneRecords = Readonly<Record<string, readonly unknown[] | 'fails'>>;
export type Zone = Readonly<Record<string, ZoneRecords>>;

const MAX_ALIASES = 8;

/**
 * Records of a zone as a table, aliases followed; empty: the name or the type does not exist. Null: the resolver fails, also where the
 * name lists `elsewhere: 'fails'` and not the type.
 */
export function findRecords(zone: Zone, asked: string, type: string): readonly unknown[] | null {
  let name = plain(asked);
  for (let hops = 0; hops <= MAX_ALIASES; hops++) {
    const records = zone[name] ?? zone[name.replace(/^[^.]+/, '*')];
    if (records === undefined) return [];
    const found = records[type] ?? records['elsewhere'];
    if (found === 'fails') return null;
    if (found !== undefined) return found;
    const alias = records['CNAME']?.[0];
    if (typeof alias !== 'string') return [];
    name = plain(alias);
  }
  return null;
}

/** The DNS as a table; names in lower case without a final dot. A name that is not in it does not exist. */
export function zoneDns(zone: Zone): MailDns {
  const texts = async (name: string, type: string): Promise<string[] | null> =>
    findRecords(zone, name, type)?.map(String) ?? null;
  return {
    txt: (name) => texts(name, 'TXT'),
    a: (name) => texts(name, 'A'),
    aaaa: (name) => texts(name, 'AAAA'),
    ptr: (name) => texts(name, 'PTR'),
    async mx(name): Promise<MxRecord[] | null> {
      const found = findRecords(zone, name, 'MX') as [number, string][] | null;
      return found?.map(([preference, exchange]) => ({ preference, exchange: plain(exchange) })) ?? null;
    },
  };
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
