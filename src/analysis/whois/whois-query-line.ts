/** Query syntax of servers that expect more than the name, from their own help texts. */
const QUERY_LINES: Readonly<Record<string, (domain: string) => string>> = {
  'whois.denic.de': (domain) => `-T dn,ace ${domain}`,
  'whois.jprs.jp': (domain) => `${domain}/e`,
  'whois.verisign-grs.com': (domain) => `domain ${domain}`,
  'whois.nic.name': (domain) => `domain = ${domain}`,
};

/** The line that queries a WHOIS server for a domain (RFC 3912), without line end. */
export function whoisQueryLine(server: string, domain: string): string {
  return QUERY_LINES[server]?.(domain) ?? domain;
}
