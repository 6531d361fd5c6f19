import type { SecretCandidate } from './secret-rule.ts';

/** Parts of names of what is public, checked by others, or made unreadable; they precede the keyword. */
const NON_SECRET_NAME_PARTS = new Set(
  'public publickey publishable pub csrf xsrf csrfmiddleware forgery antiforgery expected invalid hashed bcrypt encrypted sealed'.split(
    ' ',
  ),
);
/** The same, where the keyword is `token`: what marks a position or a device. A `device_secret` is a secret. */
const NON_SECRET_TOKEN_NAME_PARTS = new Set(
  `page nextpage pagination next prev previous continuation cursor cancel cancellation lock change update wait idempotency sync device push
  symbol syntax design hash`.split(/\s+/),
);
const LOOK_BEHIND_LENGTH = 100;

/** The parts of the name up to the keyword, in lower case: split at separators and where capital letters begin a word. */
function namePartsBefore({ code, matchStart }: SecretCandidate): string[] {
  const name = /[\w.-]{0,40}$/.exec(code.slice(Math.max(0, matchStart - LOOK_BEHIND_LENGTH), matchStart))![0];
  const parts = name.split(/[_.-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return parts.filter((part) => part !== '').map((part) => part.toLowerCase());
}

/** Of the name that the keyword ends. `A::B::ApiKey` is a type, `arn:...:secret:name` an address. */
export function hasNonSecretName(candidate: SecretCandidate): boolean {
  const { code, matchStart } = candidate;
  if (/(?:::\w{0,30}|\barn:[\w:./-]{0,90})$/.test(code.slice(Math.max(0, matchStart - LOOK_BEHIND_LENGTH), matchStart)))
    return true;
  const parts = namePartsBefore(candidate);
  // `PublicKeyToken`
  const last = parts.at(-1) === 'key' ? parts.at(-2) : parts.at(-1);
  if (last === undefined) return false;
  return (
    NON_SECRET_NAME_PARTS.has(last) ||
    (NON_SECRET_TOKEN_NAME_PARTS.has(last) && /^tokens?/i.test(code.slice(matchStart, matchStart + 6)))
  );
}
