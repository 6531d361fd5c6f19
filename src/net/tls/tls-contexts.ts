import { constants } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext, type SecureContextOptions } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { TlsVersion, TrustStore } from './handshake-types.ts';

/** For old servers: all ciphers except those without encryption or authentication, keys and signatures of any strength. */
const LENIENT_CIPHERS = 'DEFAULT@SECLEVEL=0';
/** Also servers without RFC 5746, which OpenSSL refuses otherwise: to see that they lack it. */
const LEGACY_SERVERS = constants.SSL_OP_LEGACY_SERVER_CONNECT;
const MAX_CONTEXTS = 64;

interface TlsContextOptions {
  minVersion: TlsVersion;
  maxVersion: TlsVersion;
  ciphers: string;
  intermediates: readonly string[];
  noTickets: boolean;
}

/** TLS settings with the trusted certificates. They are cached: creating one takes milliseconds where there are extra certificates. */
export class TlsContexts {
  /** Trusted CAs when extra ones are configured; undefined: Node's default. */
  readonly customCa: string[] | undefined;
  readonly #extraCa: readonly string[];
  #systemAnchors: readonly string[] | null = null;
  readonly #contexts = new LRUCache<string, SecureContext>({ max: MAX_CONTEXTS });

  /** `extraCa`: PEM certificates trusted in addition to Node's default ones. */
  constructor(extraCa: readonly string[]) {
    this.#extraCa = extraCa;
    this.customCa = extraCa.length === 0 ? undefined : [...getCACertificates('default'), ...extraCa];
  }

  /** Those of the operator count in both stores. */
  trustAnchors(store: TrustStore = 'default'): readonly string[] {
    if (store === 'default') return this.customCa ?? getCACertificates('default');
    if (this.#systemAnchors === null) {
      const own = getCACertificates('system');
      this.#systemAnchors = own.length === 0 ? [] : [...own, ...this.#extraCa];
    }
    return this.#systemAnchors;
  }

  /** Validates certificates, with Node's default settings. */
  get strict(): SecureContext {
    return this.#getOrCreate('strict', {});
  }

  /** Accepts any certificate and old versions, for TLS inspection. Throws for a cipher list without a known cipher. */
  lenient(options: Partial<TlsContextOptions> = {}): SecureContext {
    const { minVersion = 'TLSv1', maxVersion = 'TLSv1.3', ciphers = LENIENT_CIPHERS, intermediates = [] } = options;
    const secureOptions = options.noTickets === true ? LEGACY_SERVERS | constants.SSL_OP_NO_TICKET : LEGACY_SERVERS;
    if (intermediates.length > 0) {
      // OpenSSL uses them to build chains; trust still needs a root (X509_V_FLAG_PARTIAL_CHAIN is off). Not cached: for one handshake.
      const ca = [...this.trustAnchors(), ...intermediates];
      return createSecureContext({ minVersion, maxVersion, ciphers, secureOptions, ca });
    }
    const key = `${minVersion} ${maxVersion} ${ciphers} ${secureOptions}`;
    return this.#getOrCreate(key, { minVersion, maxVersion, ciphers, secureOptions });
  }

  #getOrCreate(key: string, options: SecureContextOptions): SecureContext {
    let secureContext = this.#contexts.get(key);
    if (secureContext === undefined) {
      secureContext = createSecureContext({
        ...options,
        ...(this.customCa === undefined ? {} : { ca: this.customCa }),
      });
      this.#contexts.set(key, secureContext);
    }
    return secureContext;
  }
}
