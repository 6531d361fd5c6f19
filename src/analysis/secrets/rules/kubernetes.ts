import { decodeBase64Text } from '../../base64.ts';
import { credentialKindOf } from '../assignment/credential-name.ts';
import { judgeNamedValue } from '../assignment/judge-value.ts';
import { looksRandom } from '../entropy.ts';
import { mentionsPlaceholder } from '../placeholder.ts';
import type { LocatedSecret, ScannedText, SecretAssessment, SecretRule } from '../secret-rule.ts';

/** Longest manifest that is read for one `kind: Secret`. */
const MAX_DOCUMENT_LENGTH = 40_000;
const DOCUMENT_END = /^---\s*$/m;
const SECTION = /^( *)"?(data|stringData)"?[ \t]*:[ \t]*(\{.*\}?)?[ \t]*,?[ \t]*$/gm;
const ENTRY =
  /^([ \t]*)(?:"?([\w./-]{1,120})"?)[ \t]*:[ \t]+(?:"([^"\n]*)"|'([^'\n]*)'|([^\s|>&*{[][^\n]*?))[ \t]*,?[ \t]*(?:#.*)?$/gm;
/** Keys whose values are no secrets. */
const HARMLESS_KEY =
  /^(?:(?:.*[._-])?(?:user(?:_?name)?|host(?:name)?|port|db(?:_?name)?|database|name|region|bucket|endpoint|email|ca(?:\.crt)?|tls\.crt|.*\.crt|cert|issuer|client[._-]?id|url_path|type|namespace|schema|engine|provider|project|account|dialect|driver|ssl_?mode|log_?level|tag|env|environment))$/i;

/** The values of a manifest of the kind Secret, whatever their keys are called. */
function readManifest({ code, readUpTo }: ScannedText, at: number): readonly LocatedSecret[] {
  if (at < (readUpTo.get('manifest') ?? 0)) return [];
  const reach = Math.max(0, at - MAX_DOCUMENT_LENGTH / 2);
  const before = code.slice(reach, at).lastIndexOf('\n---');
  const from = Math.max(before === -1 ? reach : reach + before + 4, readUpTo.get('manifest') ?? 0);
  const after = code.slice(at, at + MAX_DOCUMENT_LENGTH / 2);
  const end = at + (DOCUMENT_END.exec(after)?.index ?? after.length);
  const text = code.slice(from, end);
  readUpTo.set('manifest', end);
  const found: LocatedSecret[] = [];
  for (const section of text.matchAll(SECTION)) {
    const isEncoded = section[2] === 'data';
    const indent = section[1]!.length;
    ENTRY.lastIndex = section.index + section[0].length;
    for (let entry = ENTRY.exec(text); entry !== null; entry = ENTRY.exec(text)) {
      // The section ends where a line is not indented more.
      const between = text.slice(section.index + section[0].length, entry.index);
      if (entry[1]!.length <= indent || hasLineAt(between, indent)) break;
      const value = entry[3] ?? entry[4] ?? entry[5]!;
      const judgement = judgeEntry(entry[2]!, value, isEncoded);
      if (judgement === null) continue;
      const start = from + entry.index + entry[0].indexOf(value, entry[0].indexOf(':'));
      found.push({ id: 'kubernetes_secret', start, end: start + value.length, ...judgement });
    }
  }
  return found;
}

/** Whether a line of the text is indented as far as the section or less. */
function hasLineAt(text: string, indent: number): boolean {
  return text.split('\n').some((line) => line.trim() !== '' && line.search(/\S/) <= indent && !line.startsWith('#'));
}

function judgeEntry(key: string, value: string, isEncoded: boolean): SecretAssessment {
  const text = isEncoded ? decode(value) : value;
  if (text === null) return null;
  const inUrl = /:\/\/[^\s:@/]{0,100}:([^\s@/]{3,200})@/.exec(text)?.[1];
  if (inUrl !== undefined && !mentionsPlaceholder(inUrl)) return { severity: 'HIGH' };
  if (/"auths?":|-----BEGIN [A-Z ]*PRIVATE KEY/.test(text)) return { severity: 'HIGH' };
  if (HARMLESS_KEY.test(key) || mentionsPlaceholder(text)) return null;
  // A file of settings, or a certificate.
  if (/\n./.test(text) || text.includes('-----BEGIN')) return null;
  const kind = credentialKindOf(key);
  const isChosen = /\d/.test(text) && /[A-Za-z]/.test(text) && /[^\w\s./:@-]/.test(text);
  if (kind === null && !looksRandom(text) && !isChosen) return null;
  return judgeNamedValue({
    name: key,
    kind: kind ?? 'password',
    value: text.trim(),
    isQuoted: true,
    isAssigned: true,
    textKind: 'settings',
  });
}

function decode(value: string): string | null {
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(value)) return null;
  const text = decodeBase64Text(value);
  if (text === null) return null;
  // Bytes of a key.
  return /[^\t\n\r\x20-\x7e]/.test(text) && !/^[\x20-\xff]*$/.test(text) ? value : text;
}

export const KUBERNETES_RULES: readonly SecretRule[] = [
  {
    id: 'kubernetes_secret',
    issuer: null,
    secretName: 'Value in a Kubernetes Secret',
    severity: 'HIGH',
    readers: [
      {
        keywords: ['kind: secret\n', 'kind: secret\r', '"kind": "secret"', '"kind":"secret"', 'kind: "secret"'],
        read: readManifest,
      },
    ],
    example: 'apiVersion: v1\nkind: Secret\nstringData:\n  one: {n:24}\n',
  },
];
