import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { TlsVersion } from './handshake-types.ts';

/** What old servers still speak: all ciphers but those without any protection, keys and signatures of any strength. */
const LENIENT_CIPHERS = 'DEFAULT@SECLEVEL=0';
const MAX_CONTEXTS = 64;

interface TlsContextOptions {
  minVersion: TlsVersion;
  maxVersion: TlsVersion;
  ciphers: string;
  intermediates: readonly string[];
}

/** TLS settings with the certificates that are trusted; making one costs milliseconds where there are extra ones. */
export class TlsContexts {
  /** What is trusted, where not just the usual. */
  readonly customCa: string[] | undefined;
  readonly #contexts = new LRUCache<string, SecureContext>({ max: MAX_CONTEXTS });

  /** `extraCa`: PEM certificates trusted beside the usual ones. */
  constructor(extraCa: readonly string[]) {
    this.customCa = extraCa.length === 0 ? undefined : [...getCACertificates('default'), ...extraCa];
  }

  trustAnchors(): readonly string[] {
    return this.customCa ?? getCACertificates('default');
  }

  /** For asking: as strict as Node is. */
  get strict(): SecureContext {
    return this.#getOrCreate('strict', {});
  }

  /** For looking at servers as they are. Throws for a cipher list that names none. */
  lenient(options: Partial<TlsContextOptions> = {}): SecureContext {
    const { minVersion = 'TLSv1', maxVersion = 'TLSv1.3', ciphers = LENIENT_CIPHERS, intermediates = [] } = options;
    if (intermediates.length > 0) {
      // OpenSSL takes them into chains; trust still needs a root (without X509_V_FLAG_PARTIAL_CHAIN). For this one handshake.
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
