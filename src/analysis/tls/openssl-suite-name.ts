/** Key exchange and authentication as OpenSSL writes them; the rest are written as they are, with hyphens. */
const EXCHANGES: Readonly<Record<string, string>> = {
  RSA: '',
  DH_anon: 'ADH',
  ECDH_anon: 'AECDH',
  PSK_DHE: 'DHE-PSK',
  SRP_SHA: 'SRP',
  SRP_SHA_RSA: 'SRP-RSA',
  SRP_SHA_DSS: 'SRP-DSS',
  GOSTR341112_256: 'GOST2012',
};

/**
 * The name of a suite in OpenSSL (`openssl ciphers`), by its IANA name: what configurations of nginx, Apache and Node hold.
 * The same rules for suites that no version of OpenSSL has.
 */
export function opensslSuiteName(suite: string): string {
  const [, exchange, rest] = /^TLS_(.+)_WITH_(.+)$/.exec(suite) ?? [];
  // Suites of TLS 1.3 and SSL 2.
  if (exchange === undefined || rest === undefined) return suite;
  const isExport = /_EXPORT(1024)?$/.exec(exchange);
  const base = exchange.replace(/_EXPORT(1024)?$/, '');
  const parts = [
    isExport === null ? '' : `EXP${isExport[1] ?? ''}`,
    EXCHANGES[base] ?? base.replaceAll('_', '-'),
    cipherPart(rest, base),
  ];
  // OpenSSL leaves RSA out of this one name.
  return parts
    .filter((part) => part !== '')
    .join('-')
    .replace(/^ECDHE-RSA-ARIA/, 'ECDHE-ARIA');
}

/** `AES_256_CBC_SHA384` is `AES256-SHA384`; with PSK `AES256-CBC-SHA384`, with SRP `AES-256-CBC-SHA`. */
function cipherPart(rest: string, exchange: string): string {
  if (exchange.startsWith('SRP')) return rest.replaceAll('_', '-');
  const keepsCbc = exchange.includes('PSK') && /^(AES|3DES)/.test(rest);
  return rest
    .replace(/^3DES_EDE_CBC/, keepsCbc ? '3DES-EDE-CBC' : 'DES-CBC3')
    .replace(/^DES40_CBC/, 'DES-CBC')
    .replace(/^RC4_(128|40|56)/, 'RC4')
    .replace(/^RC2_CBC_(40|56)/, 'RC2-CBC')
    .replace(/^(AES|CAMELLIA|ARIA)_(128|256)/, '$1$2')
    .replace(/^(AES\d+|CAMELLIA\d+)_CBC/, keepsCbc ? '$1-CBC' : '$1')
    .replace(/^SEED_CBC/, 'SEED')
    .replace(/CCM_8$/, 'CCM8')
    .replace(/^CHACHA20_POLY1305_SHA256/, 'CHACHA20-POLY1305')
    .replaceAll('_', '-');
}
