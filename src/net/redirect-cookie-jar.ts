const MAX_COOKIES_PER_HOST = 20;
const MAX_COOKIE_LENGTH = 4096;

/**
 * Cookies of one chain of redirects, sent back to the very host that set them and forgotten with the chain: many servers set one and
 * lead to the same address, to see whether it comes back.
 */
export class RedirectCookieJar {
  readonly #byHost = new Map<string, Map<string, { value: string; secure: boolean }>>();

  /** Takes the cookies of an answer (`Set-Cookie` lines, RFC 6265, 5.2). What is too long or too many is left out. */
  storeCookies({ hostname }: URL, lines: readonly string[]): void {
    const own = this.#byHost.get(hostname) ?? new Map<string, { value: string; secure: boolean }>();
    this.#byHost.set(hostname, own);
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';', 20).map((part) => part.trim());
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(0, at));
      // What a request header cannot hold is not sent.
      if (name === '' || pair.length > MAX_COOKIE_LENGTH || !/^[\x20-\x7e]+$/.test(pair)) continue;
      const deleted = attributes.some((attribute) => /^max-age=(0|-\d+)$/i.test(attribute));
      own.delete(name);
      if (deleted || own.size >= MAX_COOKIES_PER_HOST) continue;
      const secure = attributes.some((attribute) => attribute.toLowerCase() === 'secure');
      own.set(name, { value: pair.slice(at + 1), secure });
    }
  }

  /** The `Cookie` header for an address; empty: none. */
  cookieHeader({ hostname, protocol }: URL): string {
    const own = [...(this.#byHost.get(hostname) ?? [])].filter(([, { secure }]) => !secure || protocol === 'https:');
    const header = own.map(([name, { value }]) => `${name}=${value}`).join('; ');
    return header.length > MAX_COOKIE_LENGTH ? '' : header;
  }
}
