import { looksRandom } from './entropy.ts';

/** Words that mark a placeholder for a secret, or an invented example. */
const PLACEHOLDER_WORDS =
  /example|placeholder|change[_-]?(?:me|this|it)|redacted|replace[_-]?(?:me|this|with)|insert[_-]?your|your[_-]?(?:own|api|app|access|account|auth|client|db|key|new|password|passwd|secret|service|strong|super|token|user)|[_-]here\b|dummy|do[_-]?not[_-]?use|not[_-]?a[_-]?(?:real|secret)|foobar|invalid|removed|hidden|secret[_-]?goes|must[_-]?be[_-]?(?:changed|set)|to[_-]?be[_-]?(?:changed|set|filled|replaced|defined)|fill[_-]?(?:me|in|this)|set[_-]?(?:me|this|in|by|via|your)[_-]|not[_-]?(?:set|used|needed|required|defined|configured)|generate[_-]?(?:with|a|me|one|your)|use[_-]?(?:env|a[_-]|your)|put[_-]?(?:your|a|the)|enter[_-]?(?:your|a|the)|^my[_-]?(?:own[_-]|very[_-])?(?:super[_-]|strong[_-])?(?:api|app|access|account|auth|client|db|secret|token|password|passwd|pass|private)[_-]?(?:key|token|secret|password|pass)?[_-]?\d{0,3}$/i;
/** Short ones count only as whole words: within random letters they occur by chance. */
const SHORT_PLACEHOLDER_WORDS =
  /(?<![A-Za-z])(?:fake|mock|sample|todo|fixme|tbd|test(?:ing)?|demo|some|your|foo|bar|baz|lorem|ipsum|xxx+|yyy+)(?![A-Za-z])/i;
/** Put in later: by a shell, a template, a format, a program. */
const TEMPLATE_SYNTAX =
  /^\$|\$\{|\$\(|\{\{|\}\}|<%|%>|#\{|^%[A-Za-z_]|%\([a-z]|^@[\w.@]{1,60}@$|^__\w{1,60}__$|^<|>$|\.\.\.|…|process\.env|os\.environ|getenv|secrets\.|vault:|^(?:env|var|ref|arn|file|data|ssm|op):/i;
const IN_BRACKETS = /^[<[{(](.{0,200})[>\]})]$/;
const MASKED_VALUE = /\*{3}|[•●]{3}|(?:[xX]{6})|(?:#{4})|(?:_{6})|(?:\?{4})/;
const REPEATED_CHARACTER = /(.)\1{7}/s;
const MIN_ALPHABET_RUN = 16;

/** Whether a word or a mark in it says that a secret will go here. Holds also for what repeats by its format, as keys do. */
export function mentionsPlaceholder(secret: string): boolean {
  return PLACEHOLDER_WORDS.test(secret) || TEMPLATE_SYNTAX.test(secret) || MASKED_VALUE.test(secret);
}

/** Whether this is a placeholder for a secret, or an invented example. */
export function isPlaceholder(secret: string): boolean {
  return (
    mentionsPlaceholder(secret) ||
    isBracketedName(secret) ||
    REPEATED_CHARACTER.test(secret) ||
    SHORT_PLACEHOLDER_WORDS.test(secret) ||
    isRepetitive(secret) ||
    longestAlphabetRun(secret) >= MIN_ALPHABET_RUN
  );
}

/** `[PASSWORD]`, `{token}`: a name in place of the value, not something random. */
function isBracketedName(text: string): boolean {
  const inner = IN_BRACKETS.exec(text)?.[1];
  return inner !== undefined && !looksRandom(inner);
}

/** At most three different characters, or the same few over and over, or bytes in hex that count. */
function isRepetitive(text: string): boolean {
  if (text.length < 8) return text.length > 2 && new Set(text).size === 1;
  if (new Set(text.slice(0, 512)).size <= 3) return true;
  if (isCounting(text)) return true;
  for (let period = 2; period <= Math.min(20, text.length / 2); period++) {
    let at = period;
    while (at < text.length && text.charCodeAt(at) === text.charCodeAt(at - period)) at++;
    if (at === text.length) return true;
  }
  return false;
}

const MIN_COUNTED = 8;

/** Bytes in hex, each one more than the one before: keys of published test vectors. */
function isCounting(text: string): boolean {
  if (!/^[0-9a-f]{16,256}$/i.test(text)) return false;
  let run = 1;
  for (let at = 2; at < text.length && run < MIN_COUNTED; at += 2)
    run = Number.parseInt(text.slice(at, at + 2), 16) - Number.parseInt(text.slice(at - 2, at), 16) === 1 ? run + 1 : 1;
  return run >= MIN_COUNTED;
}

/** Characters that follow one another as in `abcdef` or `56789012`. */
function longestAlphabetRun(text: string): number {
  let longest = 1;
  let run = 1;
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    run = step === 1 || (step === -9 && text[at] === '0') ? run + 1 : 1;
    if (run > longest) longest = run;
  }
  return longest;
}

const COMMON_PASSWORDS = new Set(
  `admin administrator auth bar baz changeit credential credentials default email empty false foo guest hello hidden hunter2 key login mail
  minioadmin mypass mypassword mysecret mytoken name nil none no null pass passphrase password passwd postgres pwd redacted required
  root secret secretkey string test test123 testing testpass testpassword token true undefined unknown user username value world x xx
  xxx yes yyy`.split(/\s+/),
);

const WORD_FOR_PASSWORD =
  /^(?:(?:my|your|some|the|an?|new|old|test|user|admin|root|default|super|secret|db|database|strong|secure|any|this|good|wrong|bad|plain)[-_ ]?){0,3}(?:pass(?:word|wd|phrase)?|pw|pwd|secret|token)$/i;

/** `12345678`, `qwerty1`, `abc123`: the first that are guessed, and the first that examples are written with. */
export const GUESSED_FIRST =
  /^(?:(?:super|top)[-_]?secret|abc123|0?12345(?:678?9?0?)?|qwert[yz]|letmein|iloveyou|welcome|p[a@][s$5]{2}w[o0]rd|passw0rd)[\d!@#$*_.-]{0,8}$/i;

/** Whether it is put together of words for passwords alone. */
export function isWordForPassword(password: string): boolean {
  return WORD_FOR_PASSWORD.test(password);
}

/** The word "password" itself, or a password that examples commonly use. */
export function isCommonPassword(password: string): boolean {
  return COMMON_PASSWORDS.has(password.toLowerCase());
}
