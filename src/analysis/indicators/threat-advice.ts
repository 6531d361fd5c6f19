import type { RiskFactor } from '../risk-factor.ts';
import type { BenignInfrastructure } from './benign-infrastructure.ts';
import type { Indicator } from './parse-indicator.ts';
import type { ThreatLevel } from './threat-level.ts';

type Kind = Indicator['type'];

const STOP: Readonly<Record<Kind, string>> = {
  ip: 'Block it at the edge of your network, and search logs for connections to it since the first day below.',
  domain: 'Block the name in DNS and proxy, and search their logs for who asked for it since the first day below.',
  url: 'Block it in the proxy, and find out who has opened it since the first day below.',
  hash: 'Quarantine files with this hash, and find out on which machines one was run.',
};

/** What to do about an indicator: one or two sentences. `benign`: infrastructure that many use, which is not to be blocked as a whole. */
export function threatAdvice(kind: Kind, level: ThreatLevel, benign: BenignInfrastructure | null): string {
  if (benign !== null && kind !== 'url') {
    return `Do not block it: ${benign.name} serves many. If it appears in an alert, look at what asked it, not at where it is.`;
  }
  switch (level) {
    case 'critical':
    case 'high':
      return STOP[kind];
    case 'medium':
      return 'Raise an alert where it is seen. Block it where nobody needs it, or where a second source confirms it.';
    case 'low':
      return 'Do not block it for this alone: what names it is old or weak. It is a hint where something else is suspicious.';
    case 'none':
      return 'Nothing to do because of the lists. That none names it does not make it harmless: they learn of new threats late.';
    case 'unknown':
      return 'Do not take this as an all-clear: lists are missing (see below). Ask again when they answer.';
  }
}

const CURES: Readonly<Record<string, string>> = {
  known_exploited: 'update what has the CVEs that are known to be exploited, before anything else',
  vulnerable: 'check the versions that it reports against the CVEs below: a patch may be in without a new version',
  exposed_service: 'close the services that need not be open to all, or let them be reached by VPN only',
  tagged: 'treat it as compromised until you know better',
  end_of_life: 'replace what its maker no longer maintains',
};

/** What the owner of an address is to do, by its risk factors, the most urgent first; empty: nothing by these. */
export function ownerAdvice(factors: readonly RiskFactor[]): string[] {
  const found = factors.map(({ id }) => id);
  return Object.entries(CURES).flatMap(([id, cure]) => (found.includes(id) ? [cure] : []));
}
