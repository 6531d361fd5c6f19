const MAX_COOKIES_PER_HOST = 20;
const MAX_COOKIE_LENGTH = 4096;

/**
 * Cookies of one redirect chain: sent back only to the exact host that set them, dropped with the chain. Some servers redirect to the
 * same URL to test for cookies.
 */
export class RedirectCookieJar {
  readonly #byHost = new Map<string, Map<string, { value: string; secure: boolean }>>();

  /** Stores the cookies of a response (`Set-Cookie` lines, RFC 6265, 5.2), but not more or longer ones than the limits allow. */
  storeCookies({ hostname }: URL, lines: readonly string[]): void {
    const own = this.#byHost.get(hostname) ?? new Map<string, { value: string; secure: boolean }>();
    this.#byHost.set(hostname, own);
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';', 20).map((part) => part.trim());
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(0, at));
      // A request header cannot hold other characters.
      if (name === '' || pair.length > MAX_COOKIE_LENGTH || !/^[\x20-\x7e]+$/.test(pair)) continue;
      const deleted = attributes.some((attribute) => /^max-age=(0|-\d+)$/i.test(attribute));
      own.delete(name);
      if (deleted || own.size >= MAX_COOKIES_PER_HOST) continue;
      const secure = attributes.some((attribute) => attribute.toLowerCase() === 'secure');
      own.set(name, { value: pair.slice(at + 1), secure });
    }
  }

  /** The `Cookie` header for a URL; empty: none. */
  cookieHeader({ hostname, protocol }: URL): string {
    const own = [...(this.#byHost.get(hostname) ?? [])].filter(([, { secure }]) => !secure || protocol === 'https:');
    const header = own.map(([name, { value }]) => `${name}=${value}`).join('; ');
    return header.length > MAX_COOKIE_LENGTH ? '' : header;
  }
}
