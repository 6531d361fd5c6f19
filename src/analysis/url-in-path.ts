/** Also URLs that were made unclickable (defanged), as threat reports do: `hxxps[:]//`. */
const URL_START = /^(?:h(?:tt|xx)ps?|ftp)(?::|\[:\/?\/?\]|%5b:)/i;

/**
 * The URL that the rest of a request's path and its query are, as they were sent: a URL may have a query of its own. Some proxies merge
 * the two slashes of a URL into one: they are restored. Null where the rest is no URL, or one that is percent-encoded as a whole.
 */
export function urlInPath(rest: string): string | null {
  return URL_START.test(rest) ? rest.replace(/^(\w+):\/(?!\/)/, '$1://') : null;
}
