import { decodeBase64Text } from '../../base64.ts';
import { DER_TAGS } from '../../der-elements.ts';
import type { LocatedSecret, ScannedText, SecretAssessment, SecretRule } from '../secret-rule.ts';

const { INTEGER, OCTET_STRING, SEQUENCE } = DER_TAGS;
const MIN_LENGTH = 60;
const BASE64_BEFORE = /[A-Za-z0-9+/]{0,12}$/;
const BASE64_FROM = /[A-Za-z0-9+/]{60,20000}={0,2}/y;

/** Object identifiers as they stand in DER (RFC 5208, RFC 5915, RFC 8410), in Latin-1. */
const RSA_ENCRYPTION = '\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01';
const EC_PUBLIC_KEY = '\x2a\x86\x48\xce\x3d\x02\x01';
const CURVES_25519 = ['\x2b\x65\x6e', '\x2b\x65\x6f', '\x2b\x65\x70', '\x2b\x65\x71'];
const PBES2 = '\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0d';
const ENCRYPTED: SecretAssessment = { severity: 'MEDIUM', note: 'It is encrypted: as safe as its passphrase.' };

/** The magic number FEEDFEED of a Java key store. */
const JAVA_KEYSTORE = '/u3+7QAAAA';

/** The content of the SEQUENCE that the text begins with. Null: it begins with something else. */
function sequenceContent(der: string): string | null {
  if (der.charCodeAt(0) !== SEQUENCE) return null;
  const first = der.charCodeAt(1);
  if (first < 0x80) return der.slice(2);
  return first >= 0x81 && first <= 0x83 ? der.slice(2 + (first & 0x7f)) : null;
}

/** An INTEGER of one byte and the tag of what follows it. Null: the content begins with something else. */
function versionAndTag(content: string): { version: number; tag: number; next: number } | null {
  if (content.charCodeAt(0) !== INTEGER || content.charCodeAt(1) !== 0x01) return null;
  return { version: content.charCodeAt(2), tag: content.charCodeAt(3), next: content.charCodeAt(4) };
}

/** What a DER text that begins like this is: a private key, an encrypted one, or a container of keys. Null: something else. */
function assessDer(der: string): SecretAssessment {
  const content = sequenceContent(der);
  if (content === null) return null;
  const algorithm = content.slice(0, 40);
  const head = versionAndTag(content);
  // EncryptedPrivateKeyInfo: the algorithm first.
  if (head === null) return content.charCodeAt(0) === SEQUENCE && algorithm.includes(PBES2) ? ENCRYPTED : null;
  const { version, tag, next } = head;
  // PKCS#8: version 0 or 1, then the algorithm.
  if (version <= 1 && tag === SEQUENCE)
    return [RSA_ENCRYPTION, EC_PUBLIC_KEY, ...CURVES_25519].some((id) => algorithm.includes(id))
      ? { severity: 'CRITICAL' }
      : null;
  // PKCS#1: version 0, then a modulus of 512 bits or more.
  if (version === 0 && tag === INTEGER && next >= 0x40) return { severity: 'CRITICAL' };
  // SEC 1: version 1, then the private key of 28 to 66 bytes.
  if (version === 1 && tag === OCTET_STRING && next >= 28 && next <= 66) return { severity: 'CRITICAL' };
  // PKCS#12: version 3, then the content.
  return version === 3 && tag === SEQUENCE ? ENCRYPTED : null;
}

function readDer({ code, readUpTo }: ScannedText, at: number): readonly LocatedSecret[] {
  if (at < (readUpTo.get('der') ?? 0)) return [];
  const before = BASE64_BEFORE.exec(code.slice(Math.max(0, at - 12), at))![0];
  const start = at - before.length;
  if (
    !code.startsWith(JAVA_KEYSTORE, start) &&
    !code.startsWith('MI', start) &&
    !code.startsWith('MC', start) &&
    !code.startsWith('MH', start)
  )
    return [];
  BASE64_FROM.lastIndex = start;
  const text = BASE64_FROM.exec(code)?.[0];
  if (text === undefined || text.length < MIN_LENGTH) return [];
  const isKeystore = text.startsWith(JAVA_KEYSTORE);
  readUpTo.set('der', start + text.length);
  const judgement = isKeystore ? ENCRYPTED : assessDer(decodeBase64Text(text.slice(0, 80)) ?? '');
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
          '/u3+7qaaaa',
          'ibazcc',
          'ibazccc',
        ],
        read: readDer,
      },
    ],
    example: '{der}',
  },
];
