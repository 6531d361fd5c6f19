import { WRONG_TYPE } from '../analysis/email/posture/mta-sts-fix.ts';
import { NetError, type NetErrorCode } from '../net/net-error.ts';
import type { Source } from './source.ts';

/** The policy file, or why it is missing: `problem` continues a sentence that begins with "the policy". */
export type MtaStsFetchResult = { body: string } | { problem: string };

/** Failures that are caused by the domain, not by the network. */
const PROBLEM_BY_NET_ERROR: Readonly<Partial<Record<NetErrorCode, string>>> = {
  no_such_name: 'has no host: mta-sts below the domain does not exist',
  refused_address: 'is at an address that is not public',
  tls: 'is not served with a valid certificate',
  refused: 'is not served: nothing listens on port 443',
  reset: 'is not served: the connection was cut',
  protocol: 'is not served over proper HTTP',
  too_large: 'is larger than 64 KiB',
};

/** A domain's MTA-STS policy (RFC 8461, section 3.3): over HTTPS with a valid certificate, redirects not followed. */
export const mtaSts: Source<string, MtaStsFetchResult> = {
  policy: {
    id: 'mta_sts',
    title: 'MTA-STS policies',
    provides: 'transport policy of a mail domain',
    baseUrl: null,
    timeoutMs: 5000,
    maxBytes: 64 * 1024,
    ttlSeconds: 300,
    concurrency: 50,
    key: null,
  },
  async ask(domain, { net, timeoutMs, maxBytes, signal }) {
    try {
      const url = new URL(`https://mta-sts.${domain}/.well-known/mta-sts.txt`);
      const { status, headers, body } = await net.fetch(url, { timeoutMs, maxBytes, signal });
      if (status >= 300 && status < 400) return { problem: 'is behind a redirect, which senders do not follow' };
      if (status !== 200) return { problem: `is answered with status ${status}` };
      const type = headers.get('content-type')?.[0]?.split(';')[0]?.trim().toLowerCase();
      if (type !== 'text/plain') return { problem: WRONG_TYPE };
      return { body: new TextDecoder().decode(body) };
    } catch (error) {
      const problem = error instanceof NetError ? PROBLEM_BY_NET_ERROR[error.code] : undefined;
      if (problem === undefined) throw error;
      return { problem };
    }
  },
};
