import type { TlsFacts } from '../../../analysis/tls/facts.ts';
import type { Outcome } from '../../../sources/source.ts';
import { tls } from '../../../sources/tls/tls.ts';
import type { Context } from '../../../engine/context.ts';

const HTTPS_PORT = 443;

/** Asks port 443 of a name. That nobody speaks TLS there is an answer, not a failure of the asking. */
export async function tryTls(context: Context, domain: string, brief: boolean): Promise<Outcome<TlsFacts>> {
  const outcome = await context.attempt(tls, { host: domain, port: HTTPS_PORT, brief });
  if (speaksNoTls(outcome)) context.evidence.asked(tls.policy.id, 0);
  else context.evidence.outcome(tls.policy, outcome);
  return outcome;
}

/** Nothing listens there, or not for TLS. */
export function speaksNoTls(outcome: Outcome<unknown>): boolean {
  return outcome.status === 'unavailable' && ['refused', 'tls', 'reset'].includes(outcome.failure);
}

/** TLS in the summary of a report: its grade, `none` where TLS is not offered, null where that is unknown. */
export function tlsInWords(ssl: { grade: string } | 'none' | null): string {
  if (ssl === null) return 'TLS was not found out';
  return ssl === 'none' ? 'no TLS on port 443' : `TLS grade ${ssl.grade}`;
}
