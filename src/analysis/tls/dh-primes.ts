/** Primes of Diffie-Hellman groups that many servers share, by how they begin (hex) and their bits. */
const KNOWN_PRIMES: readonly { name: string; start: string; bits: readonly number[] }[] = [
  {
    name: 'RFC 2409 / RFC 3526',
    start: 'ffffffffffffffffc90fdaa22168c234',
    bits: [768, 1024, 1536, 2048, 3072, 4096, 6144, 8192],
  },
  { name: 'RFC 7919', start: 'ffffffffffffffffadf85458a2bb4a9a', bits: [2048, 3072, 4096, 6144, 8192] },
  { name: 'RFC 5114', start: 'b10b8f96a080e01dde92de5eae5d54ec', bits: [1024] },
  { name: 'RFC 5114', start: 'ad107e1e9123a9d0d660faa79559c51f', bits: [2048] },
  { name: 'RFC 5114', start: '87a8e61db4b6663cffbbd19c65195999', bits: [2048] },
  { name: 'Apache 2.2', start: 'd67de440cbbbdc1936d693d34afd0ad5', bits: [1024] },
  { name: 'Apache 2.0', start: 'd4bcd52406f69b35994b88de5db89682', bits: [512] },
  { name: 'Apache 2.2', start: 'e6969d3d495be32c7cf180c3bdd4798e', bits: [512] },
  { name: 'Apache 2.2', start: '9fdb8b8a004544f0045f1737d0ba2e0b', bits: [512] },
  { name: 'nginx 1.x', start: 'bbbc2dcad84674907c43fcf580e9cfdb', bits: [1024] },
  { name: 'OpenSSL 512', start: 'da583c16d9852289d0e4af756f4cca92', bits: [512] },
  { name: 'OpenSSL 1024', start: '97f64261cab505dd2828e13f1d68b6d3', bits: [1024] },
  { name: 'OpenSSL 2048', start: 'ed928935824555cb3bfba2765a690461', bits: [2048] },
  { name: 'OpenSSL 4096', start: 'feead19dbeaf90f61cfca1065d69db08', bits: [4096] },
];

export interface DhPrime {
  bits: number;
  /** The group's name, such as `ffdhe2048`, or where the prime is from; null: a prime that is not known, so probably the server's own. */
  known: string | null;
}

/** Size and origin of the prime of a Diffie-Hellman group, big-endian. The origin is told by the first 128 bits and the size. */
export function describeDhPrime(prime: Uint8Array): DhPrime {
  const first = prime.findIndex((byte) => byte !== 0);
  if (first === -1) return { bits: 0, known: null };
  const bits = (prime.length - first) * 8 - Math.clz32(prime[first]!) + 24;
  const start = Array.from(prime.subarray(first, first + 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const known = KNOWN_PRIMES.find((one) => one.start === start && one.bits.includes(bits));
  if (known === undefined) return { bits, known: null };
  return { bits, known: known.name === 'RFC 7919' ? `ffdhe${bits}` : known.name };
}
