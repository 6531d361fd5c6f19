import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { TlsVersion } from './handshake-types.ts';

/** For old servers: all ciphers except those without encryption or authentication, keys and signatures of any strength. */
const LENIENT_CIPHERS = 'DEFAULT@SECLEVEL=0';
const MAX_CONTEXTS = 64;

interface TlsContextOptions {
  minVersion: TlsVersion;
  maxVersion: TlsVersion;
  ciphers: string;
  intermediates: readonly string[];
}

/** TLS settings with the trusted certificates. They are cached: creating one takes milliseconds where there are extra certificates. */
export class TlsContexts {
  /** Trusted CAs when extra ones are configured; undefined: Node's default. */
  readonly customCa: string[] | undefined;
  readonly #contexts = new LRUCache<string, SecureContext>({ max: MAX_CONTEXTS });

  /** `extraCa`: PEM certificates trusted in addition to Node's default ones. */
  constructor(extraCa: readonly string[]) {
    this.customCa = extraCa.length === 0 ? undefined : [...getCACertificates('default'), ...extraCa];
  }

  trustAnchors(): readonly string[] {
    return this.customCa ?? getCACertificates('default');
  }

  /** Validates certificates, with Node's default settings. */
  get strict(): SecureContext {
    return this.#getOrCreate('strict', {});
  }

  /** Accepts any certificate and old versions, for TLS inspection. Throws for a cipher list without a known cipher. */
  lenient(options: Partial<TlsContextOptions> = {}): SecureContext {
    const { minVersion = 'TLSv1', maxVersion = 'TLSv1.3', ciphers = LENIENT_CIPHERS, intermediates = [] } = options;
    if (intermediates.length > 0) {
      // OpenSSL uses them to build chains; trust still needs a root (X509_V_FLAG_PARTIAL_CHAIN is off). Not cached: for one handshake.
      return createSecureContext({ minVersion, maxVersion, ciphers, ca: [...this.trustAnchors(), ...intermediates] });
    }
    return this.#getOrCreate(`${minVersion} ${maxVersion} ${ciphers}`, { minVersion, maxVersion, ciphers });
  }

  #getOrCreate(key: string, options: Partial<Omit<TlsContextOptions, 'intermediates'>>): SecureContext {
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
