import { parseIp } from '../analysis/ip-address.ts';
import { normalizeDnsName } from './dns/name.ts';

/** `ip`: a literal; `name`: to be asked for. Both canonical: lower case, without brackets and final dot. */
export type Host = { kind: 'ip' | 'name'; text: string };

/**
 * A host as a URL parser would understand it: `0x7f.1` and `２１３０７０６４３３` are 127.0.0.1. Null for what cannot be a host, zone ids
 * (RFC 6874) included.
 */
export function parseHost(hostText: string): Host | null {
  const text = hostText.startsWith('[') && hostText.endsWith(']') ? hostText.slice(1, -1) : hostText;
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
