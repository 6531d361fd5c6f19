import { looksRandom } from '../entropy.ts';
import { GUESSED_FIRST, isCommonPassword, isPlaceholder, isWordForPassword } from '../placeholder.ts';
import type { SecretAssessment } from '../secret-rule.ts';
import type { TextKind } from '../text-kind.ts';
import { type CredentialKind, nameParts } from './credential-name.ts';
import {
  isCodeBetweenTexts,
  isNoSecretByShape,
  looksLikeCode,
  looksLikeJoinedWords,
  looksLikeProse,
} from './value-shapes.ts';

/** A value with the name that it is given to. */
export interface NamedValue {
  name: string;
  kind: CredentialKind;
  value: string;
  isQuoted: boolean;
  /** Whether the name is given the value, rather than compared or listed with it. */
  isAssigned: boolean;
  textKind: TextKind;
  /** Whether simple passwords in the text are rather examples. */
  isExample?: boolean;
  /** Whether the language leaves no doubt that a text in quotes is a value. */
  isPlain?: boolean;
}

/** Words of labels, and of what is said about passwords. */
const LABEL_WORD =
  /pass|pwd|secret|token|credential|word|field|input|label|text|hint|required|missing|match|reset|forgot|type|kennw|contrase|mot ?de|wachtwoord|lösen|salasana|adgangskode|пароль|密码|密碼|パスワード|şifre|lozinka|zugangs|geheim|schlüssel|^(?:senha|clave|heslo|hasło|parola?|parool|geslo|jelszó|jeton|ключ|암호|código|codigo)$/i;
const TYPE_WORD =
  /^(?:string|str|text|number|int|integer|bool|boolean|object|array|any|void|char|varchar|bytes|buffer|uuid|basic|bearer|digest|oauth2?|oidc|saml|ldap|jwt|apikey|header|cookie|query|body|form|plain|plaintext|raw|json|xml|html|hex|base64|utf-?8|ascii|md5|sha-?\d+|bcrypt|argon2\w*|hmac|rsa|aes|des|ecdsa|ed25519|hs256|rs256|es256|auto|on|off|enabled?|disabled?|visible|masked|encrypted|optional|mandatory|internal|external|private|public|local|remote|manual|global|shared|default|custom|dynamic|static|current|new|old|unset|empty|blank|missing|deprecated|prompt|ask|stdin|session|persistent|strict|lax|write|read|all|any|self|this|super|async|await|return|function|class|const|let|var|production|development|staging|expired|refresh|access|sensitive|confidential|code|implicit|success|failed|failure|error|warning|info|debug|oobeSystem|windowsPE|specialize|generalize|auditSystem|auditUser|offlineServicing)$/i;
const OFTEN_IN_EXAMPLES = 'It is one that many examples have; in use, it is the first to be guessed.';

const isSettings = (kind: TextKind): boolean => kind === 'settings' || kind === 'shell';

const PLAIN_TEXT_MARK = '{noop}';
/** Names of secrets that people make up, as words with hyphens too. */
const CHOSEN_SECRET_NAME =
  /(?:jwt|session|cookie|app|signing|auth|flask|django)[_.-]?secret(?:[_.-]?key)?$|^secret[_.-]?key$/i;
/** `user:password`, with a digit or a mark in it. */
const CREDENTIAL_PAIR = /^[\w.@-]{2,40}:((?=.*[\d!$%&*+?#-])[^\s:/]{6,100})$/;

/** Whether a value that is given to a name of a credential is one. */
export function judgeNamedValue(given: NamedValue): SecretAssessment {
  // Spring's mark of a password in plain text.
  if (given.value.startsWith(PLAIN_TEXT_MARK))
    return judgeNamedValue({ ...given, value: given.value.slice(PLAIN_TEXT_MARK.length) });
  const { name, kind, value, textKind } = given;
  if (isCodeBetweenTexts(value)) return null;
  // Salts and keys of all characters: braces in them are no template.
  if (value.length >= 40 && kind !== 'password' && !value.includes('${') && isOfAllCharacters(value))
    return { severity: 'HIGH' };
  if (value.length < 4 || isNoSecretByShape(value) || isPlaceholder(value) || isCommonPassword(value)) return null;
  if (TYPE_WORD.test(value) || repeatsName(given)) return null;
  if (value.includes('\0') || isKeyId(name, value)) return null;
  if (textKind === 'translation' && !(looksRandom(value) && value.length >= 16)) return null;
  const judgement = kind === 'password' ? judgePassword(given) : judgeSecret(given);
  return judgement?.severity === 'LOW' && given.isExample === true ? null : judgement;
}

function isOfAllCharacters(value: string): boolean {
  const marks = value.match(/[^\w\s]/g) ?? [];
  return new Set(marks).size >= 8 && new Set(value).size >= 25 && /\d/.test(value) && !looksLikeProse(value);
}

/** The id of a key: of PGP in the settings of git and gpg, of a store in the manner of S3. */
function isKeyId(name: string, value: string): boolean {
  if (/(?:^|[_.-])access[_-]?key$/i.test(name) && /^[A-Z0-9]{16,24}$/.test(value)) return true;
  return /signing_?key$/i.test(name) && /^(?:0x)?[0-9A-F]{8}(?:[0-9A-F]{8}|[0-9A-F]{32})?!?$/i.test(value);
}

/** `password="password1"` is no more than a name; `token: "auth-token"`. */
function repeatsName({ name, value }: NamedValue): boolean {
  const words = nameParts(value).filter((part) => !/^\d+$/.test(part));
  const named = new Set(nameParts(name));
  return words.length > 0 && words.every((word) => named.has(word)) && !/[^\w.-]/.test(value);
}

function judgePassword(given: NamedValue): SecretAssessment {
  const { value, textKind, isQuoted, isAssigned, name } = given;
  if (given.isPlain === true && isQuoted && !looksLikeProse(value)) return { severity: 'HIGH' };
  if (isWordForPassword(value) || /^-?anonymous@?$/i.test(value)) return null;
  if (looksLikeProse(value)) return isPassphrase(given) ? { severity: 'HIGH' } : null;
  const inSettings = isSettings(textKind);
  // `Cloud.Seven` may be chosen, `cloud.seven` is a name in code.
  const isChosen =
    isQuoted &&
    isAssigned &&
    /^(?:[A-Z][a-z]+\.){1,3}[A-Z][a-z]+$|^\w{2,}\.[A-Z]?[a-z]+\d+$/.test(value) &&
    !LABEL_WORD.test(value);
  if (!inSettings && !isChosen && looksLikeCode(value)) return null;
  if (inSettings && !isQuoted && /^[\w.]+\(|^\[|^\{/.test(value)) return null;
  if (/^\d+$/.test(value)) return value.length >= 6 && (isQuoted || inSettings) ? { severity: 'HIGH' } : null;
  const stem = value.replace(/[\d!@#$*_.-]{1,6}$/, '');
  if (isCommonPassword(stem) || isWordForPassword(stem) || GUESSED_FIRST.test(value))
    return { severity: 'LOW', note: OFTEN_IN_EXAMPLES };
  const lettersOnly = /^[\p{L}\p{M}]+$/u.test(value);
  if (lettersOnly) return judgeWord(given);
  if (looksLikeJoinedWords(value)) {
    if (LABEL_WORD.test(value) || !isAssigned) return null;
    if (inSettings || (isQuoted && /[A-Z]/.test(value))) return { severity: 'HIGH' };
    return isQuoted && isAssigned && value.length >= 8 ? { severity: 'LOW' } : null;
  }
  if (!isQuoted && !inSettings && /^[A-Za-z_][\w.]*$/.test(value) && LABEL_WORD.test(value)) return null;
  if (textKind === 'documentation' && LABEL_WORD.test(value) && !/\d/.test(value)) return null;
  if (/^[\w-]+$/.test(value) && LABEL_WORD.test(value) && !/\d{2}/.test(value)) return null;
  return name === '' ? null : { severity: 'HIGH' };
}

/** In code; shorter words rather are names of something. */
const MIN_WORD_LENGTH = 6;

/** A single word may be a label or a translation; given to a name and not in a text for people, it rather is a password. */
function judgeWord({ value, textKind, isAssigned, isQuoted }: NamedValue): SecretAssessment {
  if (LABEL_WORD.test(value) || !isAssigned) return null;
  if (isSettings(textKind)) return value.length >= 5 || looksRandom(value) ? { severity: 'HIGH' } : null;
  if (!isQuoted || textKind === 'documentation') return null;
  return value.length >= MIN_WORD_LENGTH ? { severity: 'LOW' } : null;
}

/** Several words that are no sentence, where a passphrase is asked for or a digit stands among them. */
function isPassphrase({ value, textKind, name, isQuoted }: NamedValue): boolean {
  const words = value.split(' ');
  if (words.length < 2 || words.length > 8 || /[:?…]$|[,;]/.test(value) || LABEL_WORD.test(value)) return false;
  const isNamed = /phrase/i.test(name) && words.length >= 3;
  return textKind === 'settings' && (isNamed || (isQuoted && /\d/.test(value)));
}

function judgeSecret(given: NamedValue): SecretAssessment {
  const { kind, value, textKind, isQuoted, isAssigned, name } = given;
  if (kind === 'token' && /\[\w-\w|\(\?:|\{\d+,\d*\}/.test(value)) return null;
  const isRandom = looksRandom(value);
  if (kind === 'key') return judgeKey(given, isRandom);
  if (/\s/.test(value)) return kind === 'secret' || /salt|_KEY$/i.test(name) ? judgeSpaced(value) : null;
  if (!isRandom && looksLikeCode(value)) return null;
  if (/^\d+$/.test(value)) return null;
  if (isRandom) {
    // Without quotes it may be code: only what no name looks like counts.
    if (!isQuoted && !isSettings(textKind) && ((value.match(/\d/g) ?? []).length < 3 || /[$]/.test(value))) return null;
    if (value.length < 12 && !(textKind === 'settings' || (isQuoted && isAssigned))) return null;
    if (value.length < 8) return null;
    if (LABEL_WORD.test(value) && !/\d/.test(value)) return null;
    if (/^[\w-]+(?:\.[A-Za-z_][\w-]*)+$/.test(value) && !/\d.*\d.*\d/.test(value)) return null;
    return { severity: 'HIGH' };
  }
  const pair = CREDENTIAL_PAIR.exec(value);
  if (
    pair !== null &&
    /auth|cred/i.test(name) &&
    (isQuoted || isSettings(textKind)) &&
    !isCommonPassword(pair[1]!) &&
    !isPlaceholder(pair[1]!)
  )
    return { severity: 'HIGH' };
  // What people make up: words with digits or marks. A token is never made up by people.
  if (kind !== 'secret' || value.length < 8 || LABEL_WORD.test(value) || !isAssigned) return null;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(value)).length;
  if (looksLikeJoinedWords(value) || /^[a-z]+(?:[-_][a-z0-9]+)*$/.test(value))
    return CHOSEN_SECRET_NAME.test(name) && value.split(/[-_. ]/).length >= 3 && value.length >= 14
      ? { severity: 'MEDIUM' }
      : null;
  return kinds >= 3 || (/\d/.test(value) && value.length >= 10) ? { severity: 'HIGH' } : null;
}

/** Of what is only called a key: long and random, no dotted or joined name. */
function judgeKey({ value, isAssigned, isQuoted, textKind }: NamedValue, isRandom: boolean): SecretAssessment {
  if (!isRandom || !isAssigned || value.length < 20 || !/^[\w+/=.~-]+$/.test(value)) return null;
  if (!isQuoted && !isSettings(textKind)) return null;
  const digits = (value.match(/\d/g) ?? []).length;
  const isMixed = value.length >= 28 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /^[A-Za-z\d]+$/.test(value);
  return (digits >= 3 || isMixed) && !looksLikeCode(value) && !/^[\w-]{1,30}(?:[./-][A-Za-z]{2,20}){2,}/.test(value)
    ? { severity: 'HIGH' }
    : null;
}

/** Random characters of all kinds, a space among them. */
function judgeSpaced(value: string): SecretAssessment {
  const isMixed = /\d/.test(value) && /[^\w\s.,:;!?'"()-]/.test(value);
  return isMixed && value.length >= 24 && !looksLikeProse(value) ? { severity: 'HIGH' } : null;
}
