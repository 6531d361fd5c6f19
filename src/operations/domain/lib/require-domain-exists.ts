import { nameExists } from '../../../net/dns/answer.ts';
import { dns } from '../../../sources/dns.ts';
import type { Context } from '../../../engine/context.ts';
import { nxdomainError } from '../../../engine/require-answer.ts';

/** Throws 404 on NXDOMAIN. If the DNS does not answer the name is assumed to exist. */
export async function requireDomainExists(context: Context, domain: string): Promise<void> {
  const outcome = await context.ask(dns, { name: domain, type: 'A' });
  if (outcome.status === 'ok' && !nameExists(outcome.found)) throw nxdomainError(domain);
}
