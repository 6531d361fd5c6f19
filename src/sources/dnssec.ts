import type { SignedAnswer } from '../analysis/dnssec/records.ts';
import { namesInChain, type DnssecValidation, validateChain } from '../analysis/dnssec/validate-chain.ts';
import type { DnsRecordType } from '../net/dns/answer.ts';
import { dnssecCrypto } from './dnssec-crypto.ts';
import type { Source, SourceContext } from './source.ts';

const QUERY_TIMEOUT_MS = 4000;
/** Names with more labels are not validated: they would need too many queries at once (one for each label). */
const MAX_LABELS = 10;

/**
 * Validates the chain of signatures from the root to a name (RFC 4035), by queries to the configured resolvers, which need not validate
 * themselves. All links are queried at once.
 */
export const dnssec: Source<{ name: string }, DnssecValidation> = {
  policy: {
    id: 'dnssec',
    title: 'DNSSEC',
    provides: 'signatures from the root to a name',
    baseUrl: null,
    timeoutMs: 5000,
    maxBytes: 64 * 1024,
    ttlSeconds: 60,
    concurrency: 50,
    key: null,
  },
  async ask({ name }, context) {
    const names = namesInChain(name);
    if (names.length > MAX_LABELS) {
      return { security: 'indeterminate', reason: 'the name has too many labels', links: [], hasKeys: false };
    }
    const all = async (type: DnsRecordType, of: readonly string[]) =>
      new Map(await Promise.all(of.map(async (each) => [each, await querySigned(each, type, context)] as const)));
    const [ds, keys, own] = await Promise.all([
      all('DS', names),
      all('DNSKEY', ['.', ...names]),
      querySigned(name, 'A', context),
    ]);
    const trust = { anchors: context.net.dnssecRootKeys(), now: context.now(), crypto: dnssecCrypto };
    return validateChain({ name, ds, keys, own, ownType: 'A' }, trust);
  },
};

/** Null: no answer. */
async function querySigned(
  name: string,
  type: DnsRecordType,
  { net, signal }: SourceContext,
): Promise<SignedAnswer | null> {
  try {
    return await net.queryDns(name, type, {
      dnssec: true,
      checkingDisabled: true,
      timeoutMs: QUERY_TIMEOUT_MS,
      signal,
    });
  } catch {
    return null;
  }
}
