import type { TlsConfiguration, TlsVersion } from '../../../analysis/tls/tls-facts.ts';
import type { Prober } from './prober.ts';

export interface ResumptionFacts {
  resumption: TlsConfiguration['resumption'];
  clientRenegotiation: boolean | null;
}

/** A session of a handshake that was made before, or that it gave none (null). */
export interface KnownSession {
  version: string;
  session: Buffer | null;
}

/**
 * Resumption by session id and by ticket (`legacy`: the highest version before TLS 1.3, null: none is taken) and by pre-shared key
 * (TLS 1.3): a handshake that gives a session, and one that offers it. On the first, one renegotiation is asked for, which is what any
 * client may do and no load.
 */
export async function findResumption(
  prober: Prober,
  legacy: TlsVersion | null,
  takesTls13: boolean | null,
  known: KnownSession | null,
): Promise<ResumptionFacts> {
  const only = (version: TlsVersion) => ({ minVersion: version, maxVersion: version });
  let clientRenegotiation: boolean | null = null;
  const resumes = async (
    params: { minVersion: TlsVersion; maxVersion: TlsVersion; noTickets?: boolean },
    renegotiate = false,
  ) => {
    const isKnown = !renegotiate && known?.version === params.maxVersion && params.noTickets !== true;
    const first = isKnown ? known : await prober.handshake({ ...params, wantsSession: true, renegotiate });
    if (first === null || first === 'refused') return null;
    if ('renegotiated' in first) clientRenegotiation ??= first.renegotiated;
    if (first.session === null) return false;
    const second = await prober.handshake({ ...params, session: first.session });
    return second === null || second === 'refused' ? null : second.resumed;
  };
  const [tickets, sessionIds, psk] = await Promise.all([
    legacy === null ? null : resumes(only(legacy), true),
    legacy === null ? null : resumes({ ...only(legacy), noTickets: true }),
    takesTls13 === true ? resumes(only('TLSv1.3')) : takesTls13 === false ? false : null,
  ]);
  return { resumption: { tickets, sessionIds, psk }, clientRenegotiation };
}
