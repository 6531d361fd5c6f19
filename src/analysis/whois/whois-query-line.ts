/** Servers that want more than the name on their line, and what (by their own help texts). */
const QUERY_LINES: Readonly<Record<string, (domain: string) => string>> = {
  'whois.denic.de': (domain) => `-T dn,ace ${domain}`,
  'whois.jprs.jp': (domain) => `${domain}/e`,
  'whois.verisign-grs.com': (domain) => `domain ${domain}`,
  'whois.nic.name': (domain) => `domain = ${domain}`,
};

/** The line that asks a WHOIS server about a domain (RFC 3912, without its line end). */
export function whoisQueryLine(server: string, domain: string): string {
  return QUERY_LINES[server]?.(domain) ?? domain;
}
