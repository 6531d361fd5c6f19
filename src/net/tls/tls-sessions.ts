import { LRUCache } from 'lru-cache';

const MAX_SESSIONS = 1000;
/** Shorter than servers keep them (RFC 8446, 4.6.1: at most a week): a certificate that is replaced is seen soon. */
const TTL_MS = 10 * 60_000;

/** What a session must match to be resumed. */
export interface TlsSessionKey {
  /** The vetted address that the connection goes to. */
  readonly address: string;
  readonly port: number;
  /** Name in SNI, for which the certificate was checked. */
  readonly serverName: string;
  /** Any certificate was accepted: such a session is never resumed where the certificate must be valid. */
  readonly anyCertificate: boolean;
}

/** TLS sessions (RFC 8446, 2.2) of earlier connections: the next one needs no key exchange with a certificate. */
export class TlsSessions {
  readonly #sessions = new LRUCache<string, Buffer>({ max: MAX_SESSIONS, ttl: TTL_MS });

  get(key: TlsSessionKey): Buffer | undefined {
    return this.#sessions.get(textOf(key));
  }

  put(key: TlsSessionKey, session: Buffer): void {
    this.#sessions.set(textOf(key), session);
  }

  delete(key: TlsSessionKey): void {
    this.#sessions.delete(textOf(key));
  }
}

function textOf({ address, port, serverName, anyCertificate }: TlsSessionKey): string {
  return `${address} ${port} ${serverName} ${anyCertificate}`;
}
