import { getDiffieHellman } from 'node:crypto';
import type { TlsOptions } from 'node:tls';
import type { RawTlsPlan } from '../../test/lab/raw-tls-server.ts';
import { chainDer, type LeafKind } from './certificates.ts';
import type { Attack, Feature, Version } from './facts.ts';
import { type OpensslVersion, opensslSuites } from './openssl-list.ts';

/** A server, and what its settings make true of it. */
export interface MeasuredServer {
  name: string;
  run:
    | { with: 'openssl'; args: readonly string[]; leaves: readonly LeafKind[]; dhParams?: Buffer; staples?: true }
    | { with: 'nginx'; lines: string; leaves: readonly LeafKind[] }
    | { with: 'node'; options: TlsOptions; leaves: readonly LeafKind[] }
    | { with: 'raw'; plan: RawTlsPlan };
  suites: Partial<Record<Version, readonly number[]>>;
  groups: readonly string[];
  /** Signature schemes of the handshake; default: not part of the measurement. */
  signatures?: readonly string[];
  keys: readonly string[];
  features: readonly Feature[];
  attacks: readonly Attack[];
  /** By the SSL Labs server rating guide (2009r), computed by hand from the settings; the certificate is trusted. */
  grade: 'A' | 'B' | 'C' | 'F';
}

const TLS13 = [0x1301, 0x1302, 0x1303];
const OPENSSL_GROUPS = ['x25519', 'secp256r1', 'x448', 'secp521r1', 'secp384r1'];
const FFDHE = ['ffdhe2048', 'ffdhe3072', 'ffdhe4096', 'ffdhe6144', 'ffdhe8192'];
const RSA = 'rsa 2048';
const EC = 'ec 256';

/** The suites of a cipher list with each of the versions. */
function listed(
  list: string,
  versions: readonly OpensslVersion[],
  by: readonly string[],
): Partial<Record<Version, number[]>> {
  return Object.fromEntries(versions.map((version) => [version, opensslSuites(list, version, by)]));
}

const OLD = 'DEFAULT:@SECLEVEL=0';
const GCM = 'ECDHE+AESGCM:DHE+AESGCM';
const RESUMES: readonly Feature[] = ['session tickets', 'session ids'];
const NULLS = 'NULL-SHA256:NULL-SHA:AES128-GCM-SHA256:@SECLEVEL=0';
const ANONYMOUS = 'ADH-AES128-SHA256:AECDH-AES256-SHA:ECDHE-RSA-AES256-GCM-SHA384:@SECLEVEL=0';
const SMALL_DH = 'DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-SHA256:@SECLEVEL=0';
const UNUSUAL =
  'ECDHE-ARIA256-GCM-SHA384:ECDHE-RSA-CAMELLIA128-SHA256:AES256-CCM8:ECDHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES128-CCM';
const INTERMEDIATE =
  'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305';
const NGINX_OLD = 'HIGH:!aNULL:!ARIA:!CAMELLIA:!AESCCM:!DHE:@SECLEVEL=0';
const CBC = 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384';

export const SERVERS: readonly MeasuredServer[] = [
  {
    name: 'openssl, defaults, RSA and ECDSA',
    run: { with: 'openssl', args: [], leaves: ['rsa2048', 'p256'] },
    suites: { 'TLS 1.3': TLS13, ...listed('DEFAULT', ['TLS 1.2'], ['RSA', 'ECDSA']) },
    groups: [...OPENSSL_GROUPS, ...FFDHE],
    keys: [RSA, EC],
    features: ['secure renegotiation', 'fallback SCSV', ...RESUMES],
    attacks: [],
    grade: 'A',
  },
  {
    name: 'openssl, AEAD alone in its own order, two groups, three signatures',
    run: {
      with: 'openssl',
      args: [
        '-cipher',
        GCM,
        '-serverpref',
        '-groups',
        'X25519:P-384',
        '-sigalgs',
        'RSA-PSS+SHA256:RSA-PSS+SHA384:RSA+SHA256',
        '-no_ticket',
      ],
      leaves: ['rsa2048'],
    },
    suites: { 'TLS 1.3': TLS13, ...listed(GCM, ['TLS 1.2'], ['RSA']) },
    groups: ['x25519', 'secp384r1'],
    signatures: ['rsa_pss_rsae_sha256', 'rsa_pss_rsae_sha384', 'rsa_pkcs1_sha256'],
    keys: [RSA],
    features: ['server order', 'secure renegotiation', 'fallback SCSV', 'session ids'],
    attacks: [],
    grade: 'A',
  },
  {
    name: 'openssl, TLS 1.0 to 1.2',
    run: {
      with: 'openssl',
      args: ['-cipher', OLD, '-min_protocol', 'TLSv1', '-max_protocol', 'TLSv1.2'],
      leaves: ['rsa2048'],
    },
    suites: listed(OLD, ['TLS 1.0', 'TLS 1.1', 'TLS 1.2'], ['RSA']),
    groups: OPENSSL_GROUPS,
    keys: [RSA],
    features: ['secure renegotiation', 'fallback SCSV', ...RESUMES],
    attacks: ['BEAST'],
    grade: 'B',
  },
  {
    name: 'openssl, NULL beside AES',
    run: { with: 'openssl', args: ['-cipher', NULLS, '-tls1_2'], leaves: ['rsa2048'] },
    suites: listed(NULLS, ['TLS 1.2'], ['RSA']),
    groups: [],
    keys: [RSA],
    features: ['secure renegotiation', ...RESUMES],
    attacks: [],
    grade: 'F',
  },
  {
    name: 'openssl, anonymous suites',
    run: { with: 'openssl', args: ['-cipher', ANONYMOUS, '-tls1_2', '-groups', 'P-256'], leaves: ['rsa2048'] },
    suites: listed(ANONYMOUS, ['TLS 1.2'], ['RSA', 'None']),
    groups: ['secp256r1'],
    keys: [RSA],
    features: ['secure renegotiation', ...RESUMES],
    // Of itself OpenSSL takes 1,024 bits for an anonymous suite of 128 bits (SSL_CTX_set_dh_auto).
    attacks: ['Logjam'],
    grade: 'F',
  },
  {
    name: 'openssl, Diffie-Hellman of 1,024 bits',
    run: {
      with: 'openssl',
      args: ['-cipher', SMALL_DH, '-tls1_2'],
      leaves: ['rsa2048'],
      dhParams: getDiffieHellman('modp2').getPrime(),
    },
    suites: listed(SMALL_DH, ['TLS 1.2'], ['RSA']),
    groups: [],
    keys: [RSA],
    features: ['secure renegotiation', ...RESUMES],
    attacks: ['Logjam'],
    grade: 'B',
  },
  {
    name: 'openssl, ARIA, Camellia, CCM',
    run: { with: 'openssl', args: ['-cipher', UNUSUAL, '-tls1_2', '-groups', 'P-521:X448'], leaves: ['rsa2048'] },
    suites: listed(UNUSUAL, ['TLS 1.2'], ['RSA']),
    groups: ['secp521r1', 'x448'],
    keys: [RSA],
    features: ['secure renegotiation', ...RESUMES],
    attacks: [],
    grade: 'A',
  },
  {
    name: 'openssl, TLS 1.3 alone with CCM, P-384',
    run: {
      with: 'openssl',
      args: ['-tls1_3', '-groups', 'P-384', '-ciphersuites', 'TLS_AES_128_CCM_SHA256:TLS_AES_256_GCM_SHA384'],
      leaves: ['p256'],
    },
    suites: { 'TLS 1.3': [0x1302, 0x1304] },
    groups: ['secp384r1'],
    signatures: ['ecdsa_secp256r1_sha256'],
    keys: [EC],
    features: ['session tickets'],
    attacks: [],
    grade: 'A',
  },
  {
    name: 'openssl, TLS 1.1 alone',
    run: { with: 'openssl', args: ['-cipher', OLD, '-tls1_1'], leaves: ['rsa2048'] },
    suites: listed(OLD, ['TLS 1.1'], ['RSA']),
    groups: OPENSSL_GROUPS,
    keys: [RSA],
    features: ['secure renegotiation', ...RESUMES],
    attacks: [],
    grade: 'C',
  },
  {
    name: 'openssl, stapling, renegotiation by clients',
    run: {
      with: 'openssl',
      args: ['-cipher', GCM, '-tls1_2', '-client_renegotiation'],
      leaves: ['rsa2048'],
      staples: true,
    },
    suites: listed(GCM, ['TLS 1.2'], ['RSA']),
    groups: OPENSSL_GROUPS,
    keys: [RSA],
    features: ['secure renegotiation', 'client renegotiation', 'OCSP staple', ...RESUMES],
    attacks: [],
    grade: 'A',
  },
  {
    name: 'nginx, as Mozilla has it, RSA and ECDSA, without tickets',
    run: {
      with: 'nginx',
      lines: `ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ${INTERMEDIATE}; ssl_prefer_server_ciphers off; ssl_session_cache shared:a:1m; ssl_session_tickets off; ssl_ecdh_curve X25519:prime256v1:secp384r1;`,
      leaves: ['rsa2048', 'p256'],
    },
    suites: { 'TLS 1.3': TLS13, ...listed(INTERMEDIATE, ['TLS 1.2'], ['RSA', 'ECDSA']) },
    groups: ['x25519', 'secp256r1', 'secp384r1'],
    keys: [RSA, EC],
    features: ['secure renegotiation', 'fallback SCSV', 'session ids'],
    attacks: [],
    grade: 'A',
  },
  {
    name: 'nginx, TLS 1.0 to 1.3 in its own order',
    run: {
      with: 'nginx',
      lines: `ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_ciphers ${NGINX_OLD}; ssl_prefer_server_ciphers on; ssl_ecdh_curve prime256v1;`,
      leaves: ['rsa2048'],
    },
    suites: { 'TLS 1.3': TLS13, ...listed(NGINX_OLD, ['TLS 1.0', 'TLS 1.1', 'TLS 1.2'], ['RSA']) },
    groups: ['secp256r1'],
    keys: [RSA],
    features: ['server order', 'secure renegotiation', 'fallback SCSV', 'session tickets'],
    attacks: ['BEAST'],
    grade: 'B',
  },
  {
    name: 'Node, post-quantum key exchange',
    run: {
      with: 'node',
      options: {
        minVersion: 'TLSv1.2',
        ciphers: `TLS_AES_256_GCM_SHA384:${GCM}`,
        ecdhCurve: 'X25519MLKEM768:SecP256r1MLKEM768:X25519:P-256',
      },
      leaves: ['p256'],
    },
    suites: { 'TLS 1.3': [0x1302], ...listed(GCM, ['TLS 1.2'], ['ECDSA']) },
    groups: ['X25519MLKEM768', 'SecP256r1MLKEM768', 'x25519', 'secp256r1'],
    keys: [EC],
    features: ['server order', 'secure renegotiation', 'client renegotiation', 'fallback SCSV', 'session tickets'],
    attacks: [],
    grade: 'A',
  },
  {
    name: 'Node, CBC alone',
    run: {
      with: 'node',
      options: {
        minVersion: 'TLSv1.2',
        maxVersion: 'TLSv1.2',
        ciphers: CBC,
        ecdhCurve: 'P-256:P-384',
        honorCipherOrder: false,
      },
      leaves: ['p256'],
    },
    suites: listed(CBC, ['TLS 1.2'], ['ECDSA']),
    groups: ['secp256r1', 'secp384r1'],
    keys: [EC],
    features: ['secure renegotiation', 'client renegotiation', 'session tickets'],
    attacks: [],
    grade: 'B',
  },
  {
    name: 'SSL 2 to TLS 1.2 with RC4, DES, 3DES, export, compression',
    run: {
      with: 'raw',
      plan: {
        certificates: chainDer('rsa2048'),
        suites: {
          0x0300: [0x0005, 0x000a],
          0x0301: [0x0003, 0x0009, 0x000a, 0x0005],
          0x0303: [0x003c, 0x000a, 0x0005],
        },
        ownOrder: true,
        exchanges: { 0x0003: 'export RSA' },
        ssl2: [0x010080, 0x0700c0],
        compresses: true,
        extensions: { 0xff01: '00' },
      },
    },
    suites: {
      'SSL 2': [0x010080, 0x0700c0],
      'SSL 3': [0x0005, 0x000a],
      'TLS 1.0': [0x0003, 0x0009, 0x000a, 0x0005],
      'TLS 1.2': [0x003c, 0x000a, 0x0005],
    },
    groups: [],
    keys: [RSA],
    features: ['server order', 'secure renegotiation', 'compression'],
    attacks: ['DROWN', 'POODLE', 'BEAST', 'SWEET32', 'FREAK', 'RC4', 'CRIME'],
    grade: 'F',
  },
  {
    name: 'SSL 3 alone with RC4',
    run: {
      with: 'raw',
      plan: { certificates: chainDer('rsa2048'), suites: { 0x0300: [0x0004, 0x0005] }, ownOrder: true },
    },
    suites: { 'SSL 3': [0x0004, 0x0005] },
    groups: [],
    keys: [RSA],
    features: ['server order'],
    attacks: ['RC4'],
    grade: 'F',
  },
  {
    name: 'TLS 1.0 and 1.1, 3DES, heartbeat, refusals by closing',
    run: {
      with: 'raw',
      plan: {
        certificates: chainDer('rsa2048'),
        suites: { 0x0301: [0x000a, 0x002f], 0x0302: [0x002f, 0x000a] },
        ownOrder: true,
        extensions: { 0xff01: '00', 15: '01' },
        closes: true,
      },
    },
    suites: { 'TLS 1.0': [0x000a, 0x002f], 'TLS 1.1': [0x002f, 0x000a] },
    groups: [],
    keys: [RSA],
    features: ['server order', 'secure renegotiation', 'heartbeat'],
    attacks: ['BEAST', 'SWEET32'],
    grade: 'C',
  },
  {
    name: 'TLS 1.2 without secure renegotiation, DHE of export strength',
    run: {
      with: 'raw',
      plan: {
        certificates: chainDer('rsa2048'),
        suites: { 0x0303: [0x009e, 0x0014, 0x0033] },
        exchanges: { 0x009e: 'DHE', 0x0014: 'DHE', 0x0033: 'DHE' },
        dhPrime: getDiffieHellman('modp14').getPrime(),
      },
    },
    suites: { 'TLS 1.2': [0x009e, 0x0014, 0x0033] },
    groups: [],
    keys: [RSA],
    features: [],
    attacks: ['Logjam'],
    grade: 'F',
  },
];
