import type { ClientHelloOptions } from '../../../net/tls/client-hello.ts';
import type { ServerFlight } from '../../../net/tls/server-flight.ts';
import { groupCandidates, schemeCandidates } from './candidates.ts';

type Version = ClientHelloOptions['version'];

/**
 * Groups and signature schemes that the server was seen to choose, learned beside the suites: each ClientHello offers all, those that
 * were not chosen yet first, so that a server which goes by the client's order shows another one each time.
 */
export class ExchangeChoices {
  readonly groups = new Set<number>();
  readonly schemes = new Set<number>();

  /** `signatureSchemes` and `groups` of the next ClientHello. */
  offer(version: Version): Pick<ClientHelloOptions, 'groups' | 'signatureSchemes'> {
    return {
      groups: unseenFirst(groupCandidates(version), this.groups),
      signatureSchemes: unseenFirst(schemeCandidates(version), this.schemes),
    };
  }

  learn({ hello, keyExchange }: ServerFlight): void {
    const group = hello?.group ?? keyExchange?.group ?? null;
    if (group !== null) this.groups.add(group);
    if (keyExchange?.signatureScheme != null) this.schemes.add(keyExchange.signatureScheme);
  }
}

function unseenFirst(candidates: readonly number[], seen: ReadonlySet<number>): number[] {
  return [...candidates.filter((code) => !seen.has(code)), ...candidates.filter((code) => seen.has(code))];
}
