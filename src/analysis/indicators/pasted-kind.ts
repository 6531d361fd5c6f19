import { detectIdentifierKind } from '../identifier-kind.ts';
import { type Indicator, parseIndicator } from './parse-indicator.ts';
import { refang } from './refang.ts';

/** What an indicator's page can be about. */
export type PastedKind = Indicator['type'] | 'email' | 'phone' | 'username';

/** Numbers as people write them: with a plus, or with something between the digits. */
const PHONE_NUMBER = /^(?:\+[\d\s().-]{6,24}|\(?\d[\d\s().-]{6,24}\d)$/;

/** The kind and the plain form of what was pasted, defanged or not. A username looks like nothing else, so it is never found: null. */
export function detectPastedKind(text: string): { kind: PastedKind; value: string } | null {
  const indicator = parseIndicator(text);
  if (indicator !== null) return { kind: indicator.type, value: indicator.value };
  const plain = refang(text.replace(/[[({](?:@|at)[\])}]/gi, '@'));
  const identifier = detectIdentifierKind(plain);
  if (identifier === 'email') return { kind: 'email', value: plain };
  return identifier === null && PHONE_NUMBER.test(plain) ? { kind: 'phone', value: plain } : null;
}
