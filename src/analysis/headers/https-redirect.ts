export type HttpsRedirect =
  | 'not_needed'
  | 'to_https'
  | 'off_host_first'
  | 'not_to_https_first'
  | 'not_to_https'
  | 'missing';

/**
 * How a site leads from HTTP to HTTPS: `urls` are the addresses on the way from `http://host/`, the last one where it ends.
 * `not_needed`: nothing answers over HTTP. `off_host_first`: the first step goes to another host, so the host that was asked for
 * never gets to set Strict-Transport-Security. `not_to_https_first`: HTTPS comes only after a further unencrypted step.
 */
export function classifyHttpsRedirect(urls: readonly string[]): HttpsRedirect {
  const [first, second] = urls.map((url) => new URL(url));
  if (first === undefined) return 'not_needed';
  if (second === undefined) return first.protocol === 'https:' ? 'to_https' : 'missing';
  if (new URL(urls.at(-1)!).protocol !== 'https:') return 'not_to_https';
  if (second.protocol !== 'https:') return 'not_to_https_first';
  return second.hostname === first.hostname ? 'to_https' : 'off_host_first';
}
