import type { TlsFacts } from '../../../analysis/tls/tls-facts.ts';
import type { SourceResult } from '../../../sources/source.ts';
import { tls } from '../../../sources/tls/tls.ts';
import type { TlsQuestion } from '../../../sources/tls/tls-question.ts';
import type { Context } from '../../../engine/context.ts';

export const HTTPS_PORT = 443;

/** Probes port 443. Absence of TLS counts as an answer of the source, not as its failure. */
export async function probeTls(
  context: Context,
  domain: string,
  detail: TlsQuestion['detail'],
): Promise<SourceResult<TlsFacts>> {
  const outcome = await context.askUnrecorded(tls, { host: domain, port: HTTPS_PORT, detail });
  if (isTlsAbsent(outcome)) context.evidence.recordLiveAnswer(tls.policy.id, 0);
  else context.evidence.recordOutcome(tls.policy, outcome);
  return outcome;
}

/** Nothing listens on the port, or not for TLS. */
export function isTlsAbsent(outcome: SourceResult<unknown>): boolean {
  return outcome.status === 'unavailable' && ['refused', 'tls', 'reset'].includes(outcome.failure);
}

/** TLS in the summary of a report: its grade, `none` where TLS is not offered, null where that is unknown. */
export function describeTls(ssl: { grade: string } | 'none' | null): string {
  if (ssl === null) return 'TLS was not found out';
  return ssl === 'none' ? 'no TLS on port 443' : `TLS grade ${ssl.grade}`;
}
