import { decodeBase64Text } from '../base64.ts';
import { judgeNamedValue } from './assignment/judge-value.ts';
import { looksRandom } from './entropy.ts';
import { isExampleCredential, splitUserPassword } from './example-credential.ts';
import { isPlaceholder } from './placeholder.ts';
import type { SecretAssessment, SecretReader } from './secret-rule.ts';
import type { TextKind } from './text-kind.ts';

/** A value that stands where a password must be: what is no placeholder and no reference is one. */
export function judgeSettingsPassword(value: string, textKind: TextKind = 'settings'): SecretAssessment {
  return judgeNamedValue({
    name: 'password',
    kind: 'password',
    value,
    isQuoted: true,
    isAssigned: true,
    textKind,
  });
}

/** Base64 of `user:password`, as registries of containers and npm have it. */
export function judgeEncodedCredential(value: string): SecretAssessment {
  const [user, password] = splitUserPassword(decodeBase64Text(value) ?? '');
  if (password === null || !/^[\x20-\x7e]+$/.test(user + password)) return null;
  return isExampleCredential(user, password) ? null : { severity: 'HIGH' };
}

/** What has no form of its own but is random. */
export const judgeRandom = (value: string): SecretAssessment =>
  looksRandom(value) && !isPlaceholder(value) ? { severity: 'HIGH' } : null;

/** `user:password` */
export function judgeUserPassword(value: string): SecretAssessment {
  const [user, password] = splitUserPassword(value);
  return password === null || isExampleCredential(user, password) ? null : { severity: 'HIGH' };
}

/** A reader of one expression from its keyword on; the first group is the secret. */
export function readPattern(
  id: string,
  keywords: readonly string[],
  pattern: RegExp,
  judge: (value: string) => SecretAssessment,
): SecretReader {
  return {
    keywords,
    read({ code, readUpTo }, at) {
      if (at < (readUpTo.get(pattern.source) ?? 0)) return [];
      pattern.lastIndex = at;
      const found = pattern.exec(code);
      const value = found?.[1];
      if (found === null || value === undefined) return [];
      readUpTo.set(pattern.source, at + found[0].length);
      const judgement = judge(value);
      if (judgement === null) return [];
      const start = at + found[0].lastIndexOf(value);
      return [{ id, start, end: start + value.length, ...judgement }];
    },
  };
}
