import { parseIp } from '../analysis/ip-address.ts';
import { normalizeDnsName } from '../analysis/domain-name.ts';
import { withoutBrackets } from './http-url.ts';

/** `ip`: an address; `name`: to be resolved. Both canonical: lower case, without brackets and final dot. */
export type Host = { kind: 'ip' | 'name'; text: string };

/**
 * Parses a host as a URL parser does: `0x7f.1` and `２１３０７０６４３３` are 127.0.0.1. Null: not a host, or an address
 * with a zone id (RFC 6874).
 */
export function parseHost(hostText: string): Host | null {
  const text = withoutBrackets(hostText);
  const literal = parseIp(text);
  if (literal !== null) return { kind: 'ip', text: literal };
  if (text === '' || /[\s/\\:@?#%[\]<>^|]/.test(text)) return null;
  const parsed = URL.parse(`http://${text}/`)?.hostname ?? '';
  if (parsed === '') return null;
  const address = parseIp(parsed);
  if (address !== null) return { kind: 'ip', text: address };
  const name = normalizeDnsName(parsed);
  return name.split('.').includes('') ? null : { kind: 'name', text: name };
}
