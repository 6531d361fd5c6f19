/**
 * DNS queries of the mail analyses. Each resolves with the records at the end of the chain of aliases: an empty list if the name or type
 * does not exist, null if the resolver failed. Never rejects.
 */
export interface MailDns {
  /** The strings of each record joined without spaces. */
  txt(name: string): Promise<readonly string[] | null>;
  a(name: string): Promise<readonly string[] | null>;
  aaaa(name: string): Promise<readonly string[] | null>;
  mx(name: string): Promise<readonly MxRecord[] | null>;
  /** Of the name of an address below `in-addr.arpa` or `ip6.arpa`. */
  ptr(name: string): Promise<readonly string[] | null>;
}

export interface MxRecord {
  preference: number;
  /** Empty: the null MX (RFC 7505). */
  exchange: string;
}

const MAX_NAME_LENGTH = 253;

/** Whether a name can be queried: no empty or overlong label (RFC 1035). */
export function isQueryableName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= MAX_NAME_LENGTH &&
    name.split('.').every((label) => label.length > 0 && label.length <= 63)
  );
}
