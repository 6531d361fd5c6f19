import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { TlsVersion } from './handshake.ts';

/** What old servers still speak: all ciphers but those without any protection, keys and signatures of any strength. */
const ANY_CIPHERS = 'DEFAULT@SECLEVEL=0';
const MAX_CONTEXTS = 64;

interface ContextOptions {
  minVersion: TlsVersion;
  maxVersion: TlsVersion;
  ciphers: string;
  intermediates: readonly string[];
}

/** TLS settings with the certificates that are trusted; making one costs milliseconds where there are extra ones. */
export class Contexts {
  /** What is trusted, where not just the usual. */
  readonly ca: string[] | undefined;
  readonly #made = new LRUCache<string, SecureContext>({ max: MAX_CONTEXTS });

  /** `extraCa`: PEM certificates trusted beside the usual ones. */
  constructor(extraCa: readonly string[]) {
    this.ca = extraCa.length === 0 ? undefined : [...getCACertificates('default'), ...extraCa];
  }

  anchors(): readonly string[] {
    return this.ca ?? getCACertificates('default');
  }

  /** For asking: as strict as Node is. */
  get strict(): SecureContext {
    return this.#of('strict', {});
  }

  /** For looking at servers as they are. Throws for a cipher list that names none. */
  lenient(options: Partial<ContextOptions> = {}): SecureContext {
    const { minVersion = 'TLSv1', maxVersion = 'TLSv1.3', ciphers = ANY_CIPHERS, intermediates = [] } = options;
    if (intermediates.length > 0) {
      // OpenSSL takes them into chains; trust still needs a root (without X509_V_FLAG_PARTIAL_CHAIN). For this one handshake.
      return createSecureContext({ minVersion, maxVersion, ciphers, ca: [...this.anchors(), ...intermediates] });
    }
    return this.#of(`${minVersion} ${maxVersion} ${ciphers}`, { minVersion, maxVersion, ciphers });
  }

  #of(key: string, options: Partial<Omit<ContextOptions, 'intermediates'>>): SecureContext {
    let made = this.#made.get(key);
    if (made === undefined) {
      made = createSecureContext({ ...options, ...(this.ca === undefined ? {} : { ca: this.ca }) });
      this.#made.set(key, made);
    }
    return made;
  }
}
