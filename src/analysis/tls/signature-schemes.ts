/** Signature schemes (IANA, "TLS SignatureScheme"; RFC 8446, 4.2.3; RFC 5246, 7.4.1.4.1 for hash and signature), current ones first. */
export const SIGNATURE_SCHEMES: ReadonlyMap<number, string> = new Map([
  [0x0403, 'ecdsa_secp256r1_sha256'],
  [0x0503, 'ecdsa_secp384r1_sha384'],
  [0x0603, 'ecdsa_secp521r1_sha512'],
  [0x0807, 'ed25519'],
  [0x0808, 'ed448'],
  [0x0804, 'rsa_pss_rsae_sha256'],
  [0x0805, 'rsa_pss_rsae_sha384'],
  [0x0806, 'rsa_pss_rsae_sha512'],
  [0x0809, 'rsa_pss_pss_sha256'],
  [0x080a, 'rsa_pss_pss_sha384'],
  [0x080b, 'rsa_pss_pss_sha512'],
  [0x0905, 'mldsa65'],
  [0x0904, 'mldsa44'],
  [0x0906, 'mldsa87'],
  [0x081a, 'ecdsa_brainpoolP256r1tls13_sha256'],
  [0x081b, 'ecdsa_brainpoolP384r1tls13_sha384'],
  [0x081c, 'ecdsa_brainpoolP512r1tls13_sha512'],
  [0x0401, 'rsa_pkcs1_sha256'],
  [0x0501, 'rsa_pkcs1_sha384'],
  [0x0601, 'rsa_pkcs1_sha512'],
  [0x0303, 'ecdsa_sha224'],
  [0x0301, 'rsa_pkcs1_sha224'],
  [0x0402, 'dsa_sha256'],
  [0x0302, 'dsa_sha224'],
  [0x0203, 'ecdsa_sha1'],
  [0x0201, 'rsa_pkcs1_sha1'],
  [0x0202, 'dsa_sha1'],
  [0x0103, 'ecdsa_md5'],
  [0x0101, 'rsa_pkcs1_md5'],
]);

export function signatureSchemeName(code: number): string {
  return SIGNATURE_SCHEMES.get(code) ?? `scheme_${code.toString(16).padStart(4, '0')}`;
}

/** Of TLS 1.3: neither PKCS #1 nor DSA, and no hash below SHA-256 (RFC 8446, 4.2.3). */
export function isTls13Scheme(code: number): boolean {
  return !/pkcs1|^dsa_|_(sha1|sha224|md5)$/.test(signatureSchemeName(code));
}
