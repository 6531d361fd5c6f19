import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SECRET_RULES } from '../../../src/analysis/secrets/secret-rules.ts';
import type { SecretRule } from '../../../src/analysis/secrets/secret-rule.ts';
import { scanSecrets } from '../../../src/analysis/secrets/scan-secrets.ts';
import { chance } from '../../support/random.ts';
import { fillIn } from './stand-ins.ts';
import { cpuMs } from '../../support/cpu-time.ts';

/**
 * No rule may take more than in proportion to the text: each is timed on texts made to be bad for it. A text that takes little time
 * at full size is no proof against a rule; of one that takes longer, half is measured too.
 */

const FULL = 512 * 1024;
const LITTLE_MS = 120;
const MAX_MS = 2000;
/** No neighbour of this machine slows anything down so much. */
const HOPELESS_MS = 10_000;
/** Twice the text may take twice the time; what is above is noise of the machine. */
const MAX_RATIO = 3;
const ROUNDS = 15;

/** Where the rule is tried. */
function keywordsOf(rule: SecretRule): readonly string[] {
  return 'pattern' in rule ? rule.keywords : rule.readers.flatMap(({ keywords }) => keywords);
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function scanMs(code: string): number {
  const started = cpuMs();
  scanSecrets({ code, language: 'auto' });
  return cpuMs() - started;
}

/**
 * Full and half size in turn, the best of each so far: what they take when nothing else runs. More rounds only where a neighbour on
 * the machine may be to blame; what is not linear stays so in every round.
 */
function isLinear(make: (length: number) => string): void {
  const [code, halfCode] = [make(FULL), make(FULL / 2)];
  let whole = scanMs(code);
  assert.ok(whole < HOPELESS_MS, `${whole.toFixed(0)} ms for 512 KiB`);
  let half = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && whole >= LITTLE_MS && whole / half >= (round === 0 ? 0 : MAX_RATIO); round++) {
    half = Math.min(half, scanMs(halfCode));
    whole = Math.min(whole, scanMs(code));
  }
  if (whole < LITTLE_MS) return;
  assert.ok(whole < MAX_MS, `${whole.toFixed(0)} ms for 512 KiB`);
  assert.ok(whole / half < MAX_RATIO, `${half.toFixed(1)} ms for 256 KiB, ${whole.toFixed(1)} ms for 512 KiB`);
}

describe('each rule, on 512 KiB in one line', () => {
  for (const [index, rule] of SECRET_RULES.entries()) {
    test(rule.id, () => {
      const example = fillIn(rule.example ?? rule.id, chance(index + 1).next).replaceAll('\n', ' ');
      const keyword = keywordsOf(rule)[0] ?? 'password';
      const nearMisses = [
        `${keyword} = "`,
        `${keyword}${'a1B2'.repeat(30)}`,
        `${keyword}: ${'0123456789abcdef'.repeat(40)}!`,
        `${example.slice(0, -1)}!`,
        example,
      ].join(' ');
      isLinear((length) => repeated(keyword, length));
      isLinear((length) => repeated(nearMisses, length));
      isLinear((length) => keyword + repeated('aB3-_', length - keyword.length));
    });
  }
});

describe('all rules together, on 512 KiB of', () => {
  const keywords = SECRET_RULES.flatMap(keywordsOf);
  const bytes = Uint8Array.from({ length: FULL }, (_, at) => (at * 2654435761) >>> 13);
  const texts: Record<string, (length: number) => string> = {
    'one letter': (length) => repeated('a', length),
    'white space': (length) => repeated(' \t', length),
    'line ends': (length) => repeated('\n', length),
    'quotes and colons': (length) => repeated(`":'=`, length),
    backslashes: (length) => repeated('\\', length),
    'all keywords': (length) => repeated(keywords.join(''), length),
    'all keywords, assigned': (length) => repeated(keywords.map((keyword) => `${keyword} = "`).join(''), length),
    'key headers': (length) => repeated('-----BEGIN RSA PRIVATE KEY-----\\n', length),
    'key headers with header lines': (length) =>
      repeated(`-----BEGIN RSA PRIVATE KEY-----\n${'Proc-Type: 4\n'.repeat(8)}`, length),
    'key headers with header lines in one line': (length) =>
      repeated(`-----BEGIN RSA PRIVATE KEY-----${'aaa: '.repeat(80)}`, length),
    'names that are values': (length) => repeated('token=', length),
    'passwords that are passwords': (length) => repeated('password=', length),
    connections: (length) => repeated('pwd=', length),
    'tokens without an end': (length) => repeated('eyJhbGciOi', length),
    'tokens of three parts': (length) => repeated(`eyJ${'a'.repeat(900)}.eyJ${'b'.repeat(3900)}.`, length),
    'keys of keys': (length) => repeated('{"kty":"RSA","n":"a",', length),
    URLs: (length) => repeated('://a:', length),
    commands: (length) => repeated('curl -u ', length),
    binary: (length) => Buffer.from(bytes.subarray(0, length)).toString('latin1'),
    'all of Unicode': (length) => Array.from({ length }, (_, at) => String.fromCharCode((at * 7) & 0xffff)).join(''),
  };
  for (const [name, make] of Object.entries(texts)) test(name, () => isLinear(make));
});
