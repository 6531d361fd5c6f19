import { decodeBase64Text } from '../../base64.ts';
import type { LocatedSecret, ScannedText, SecretAssessment, SecretRule } from '../secret-rule.ts';

const MIN_LENGTH = 60;
const BASE64_BEFORE = /[A-Za-z0-9+/]{0,12}$/;
const BASE64_FROM = /[A-Za-z0-9+/]{60,20000}={0,2}/y;

/** Object identifiers as they stand in DER (RFC 5208, RFC 5915, RFC 8410), in Latin-1. */
const RSA_ENCRYPTION = '\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01';
const EC_PUBLIC_KEY = '\x2a\x86\x48\xce\x3d\x02\x01';
const CURVES_25519 = ['\x2b\x65\x6e', '\x2b\x65\x6f', '\x2b\x65\x70', '\x2b\x65\x71'];
const PBES2 = '\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0d';
const ENCRYPTED: SecretAssessment = { severity: 'MEDIUM', note: 'It is encrypted: as safe as its passphrase.' };

/** The content of the SEQUENCE that the text begins with. Null: it begins with something else. */
function sequenceContent(der: string): string | null {
  if (der.charCodeAt(0) !== 0x30) return null;
  const first = der.charCodeAt(1);
  if (first < 0x80) return der.slice(2);
  return first >= 0x81 && first <= 0x83 ? der.slice(2 + (first & 0x7f)) : null;
}

/** What a DER text that begins like this is: a private key, an encrypted one, or a container of keys. Null: something else. */
function assessDer(der: string): SecretAssessment {
  const content = sequenceContent(der);
  if (content === null) return null;
  const algorithm = content.slice(0, 40);
  // PKCS#8: version 0 or 1, then the algorithm.
  if (/^\x02\x01[\x00\x01]\x30/.test(content))
    return [RSA_ENCRYPTION, EC_PUBLIC_KEY, ...CURVES_25519].some((id) => algorithm.includes(id))
      ? { severity: 'CRITICAL' }
      : null;
  // EncryptedPrivateKeyInfo
  if (content.startsWith('\x30') && algorithm.includes(PBES2)) return ENCRYPTED;
  // PKCS#1: version 0, then the modulus.
  if (/^\x02\x01\x00\x02[\x81\x82\x40\x41]/.test(content)) return { severity: 'CRITICAL' };
  // SEC 1: version 1, then the private key of 28 to 66 bytes.
  if (/^\x02\x01\x01\x04[\x1c-\x42]/.test(content)) return { severity: 'CRITICAL' };
  // PKCS#12: version 3, then the content.
  return /^\x02\x01\x03\x30/.test(content) ? ENCRYPTED : null;
}

function readDer({ code, readUpTo }: ScannedText, at: number): readonly LocatedSecret[] {
  if (at < (readUpTo.get('der') ?? 0)) return [];
  const before = BASE64_BEFORE.exec(code.slice(Math.max(0, at - 12), at))![0];
  const start = at - before.length;
  if (!code.startsWith('MI', start) && !code.startsWith('MC', start) && !code.startsWith('MH', start)) return [];
  BASE64_FROM.lastIndex = start;
  const text = BASE64_FROM.exec(code)?.[0];
  if (text === undefined || text.length < MIN_LENGTH) return [];
  readUpTo.set('der', start + text.length);
  const judgement = assessDer(decodeBase64Text(text.slice(0, 80)) ?? '');
  return judgement === null ? [] : [{ id: 'private_key_der', start, end: start + text.length, ...judgement }];
}

/** Keys without the lines that PEM has around them. */
export const KEY_MATERIAL_RULES: readonly SecretRule[] = [
  {
    id: 'private_key_der',
    issuer: null,
    secretName: 'Private key in base64',
    severity: 'CRITICAL',
    readers: [
      {
        // What base64 makes of the versions and algorithms above, at the places that they have.
        keywords: [
          'ibadanbgkqhkig9w0baqefaas',
          'ibaakc',
          'ibaakb',
          'ageambmgbyqgsm49ageg',
          'ageambagbyqgsm49ageg',
          'caqawbqydk2v',
          'aqawbqydk2v',
          'caqeei',
          'kaqeei',
          'ageabdaq',
          'agebbdaq',
          'gsqgsib3dqefdtb',
          'ibazcc',
          'ibazccc',
        ],
        read: readDer,
      },
    ],
    example: '{der}',
  },
];
