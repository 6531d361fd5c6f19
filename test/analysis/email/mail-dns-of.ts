import type { MailDns, MxRecord } from '../../../src/analysis/email/mail-dns.ts';

/** Records by type; `elsewhere: 'fails'`: the resolver fails for all other types. MX: `[preference, host]`. */
export type ZoneRecord = Record<string, unknown[] | 'fails'>;

const MAX_ALIASES = 8;

/** The DNS as a table; names in lower case. A name that is not in it does not exist. */
export function mailDnsOf(zone: Readonly<Record<string, ZoneRecord>>): MailDns {
  const find = async (asked: string, type: string): Promise<unknown[] | null> => {
    let name = asked.toLowerCase();
    for (let hops = 0; hops <= MAX_ALIASES; hops++) {
      const records = zone[name];
      if (records === undefined) return [];
      const found = records[type] ?? records['elsewhere'];
      if (found === 'fails') return null;
      if (found !== undefined) return found;
      const alias = records['CNAME']?.[0];
      if (typeof alias !== 'string') return [];
      name = alias.toLowerCase().replace(/\.$/, '');
    }
    return null;
  };
  const texts = async (name: string, type: string): Promise<string[] | null> =>
    (await find(name, type))?.map(String) ?? null;
  return {
    txt: (name) => texts(name, 'TXT'),
    a: (name) => texts(name, 'A'),
    aaaa: (name) => texts(name, 'AAAA'),
    ptr: (name) => texts(name, 'PTR'),
    async mx(name): Promise<MxRecord[] | null> {
      const found = (await find(name, 'MX')) as [number, string][] | null;
      return found?.map(([preference, exchange]) => ({ preference, exchange })) ?? null;
    },
  };
}
