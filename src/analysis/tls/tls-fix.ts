import type { GradeCap } from './grade-caps.ts';

/** Lines to paste into the configuration of a server. */
export interface TlsFix {
  server: 'nginx' | 'Apache' | 'Node';
  lines: string;
}

const SUITES =
  'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305';
const GROUPS = 'X25519MLKEM768:X25519:prime256v1:secp384r1';

const BY_SETTINGS = new Set([
  'ssl2',
  'ssl3_only',
  'insecure_cipher',
  'broken_key_exchange',
  'ssl3_poodle',
  'compression',
  'weak_cipher',
  'no_tls12',
  'old_protocol',
  'rc4',
  'small_key_exchange',
  'no_forward_secrecy',
  'no_aead',
]);

/** Whether other settings mend a cap; those of certificates need another certificate. */
export function isMendedBySettings(id: string): boolean {
  return BY_SETTINGS.has(id);
}

/**
 * TLS 1.2 and 1.3 with forward secrecy and AEAD alone, in the spirit of Mozilla's "intermediate" configuration. Empty where
 * the settings are not what limits the grade.
 */
export function suggestTlsSettings(caps: readonly Pick<GradeCap, 'id'>[]): TlsFix[] {
  if (!caps.some(({ id }) => isMendedBySettings(id))) return [];
  return [
    {
      server: 'nginx',
      lines: `ssl_protocols TLSv1.2 TLSv1.3;\nssl_ciphers ${SUITES};\nssl_prefer_server_ciphers off;\nssl_ecdh_curve ${GROUPS};`,
    },
    {
      server: 'Apache',
      lines: `SSLProtocol -all +TLSv1.2 +TLSv1.3\nSSLCipherSuite ${SUITES}\nSSLHonorCipherOrder off\nSSLCompression off\nSSLOpenSSLConfCmd Curves ${GROUPS}`,
    },
    { server: 'Node', lines: `{ minVersion: 'TLSv1.2', ciphers: '${SUITES}', ecdhCurve: '${GROUPS}' }` },
  ];
}
