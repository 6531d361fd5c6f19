import { looksRandom } from '../entropy.ts';

/** Shapes by which a value is no secret, whatever it is given to. */

const REFERENCE =
  /^(?:\$[\w{(]|\$\$|%[\w.-]+%$|@[\w.@-]+@$|#\{|\{\{|<%|\$\{|!\w+(?:\s|$)|(?:vault|ssm|arn|env|file|ref|op|kms|secret|secrets|data|var|local|module|param|sm|awssm|gcpsm|keyring|akv|azurekeyvault|bws|doppler|sops|projects)[:/](?!\/\/\S*@)|(?:var|local|module|data|each|self|this|process|os|secrets|env|settings|config|conf|cfg|params|args|options|opts|props|req|request|ctx|context|app|ENV|Deno|Bun|import)\.\w|ref\+|@Microsoft\.KeyVault|resolve:|lookup\(|`)/;
const CONTAINS_TEMPLATE = /\$\{|\$\(|\{\{|\}\}|<%|%>|#\{|\{\w{1,40}(?::\d{1,3})?\}|%\(\w+\)s|%[sd]\b|\[\[|\{\d\}/;
const MADE_UNREADABLE =
  /^(?:ENC\(|ENC\[|\{cipher\}|\{AES|\{[A-Za-z0-9+/=]{16,}\}$|\$ANSIBLE_VAULT|AQAAANCMnd8|enc:|encrypted:|secure:|vault:v\d|age1|\$(?:1|2[abxy]?|5|6|7|y|apr1|argon2(?:id|[id])?|scrypt|pbkdf2[\w-]*|P|H|S)\$|\{(?:S?SHA\d*|S?MD5|CRYPT|PBKDF2[\w-]*|bcrypt|ARGON2)\}|(?:pbkdf2|bcrypt|argon2|scrypt|sha1|sha256|sha512|md5)[\w:]*\$|md5[0-9a-f]{32}$|Ag[A-Za-z0-9+/]{200,}|pk\.eyJ|v1:[\w+/=]+:v1:|LS0tLS1CRUdJTi|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.|AIzaSy[\w-]{33}$|[A-Za-z]{0,6}_?pk_(?:live|test)_|pk_|pub_|SCW[A-Z0-9]{17}$|0x[0-9a-fA-F]{40}$|SCRAM-SHA-|\*[0-9A-F]{40}$|sha(?:1|256|384|512)[:-]|h1:|SHA256:|pkcs7|-----BEGIN (?:PGP MESSAGE|CERTIFICATE|PUBLIC))/;
const PATH_OR_ADDRESS =
  /^(?:\.{0,2}\/[\w.@-]+(?:\/|$)|~\/|[A-Za-z]:[\\/]|\\\\|[a-z][a-z0-9+.-]{1,15}:\/\/|mailto:|urn:|www\.)|^[\w.+-]+@[\w-]+\.[\w.-]+$|\.(?:pem|key|crt|cer|p12|pfx|jks|keystore|txt|json|ya?ml|xml|properties|env|conf|php|js|ts|py|rb|java|cs|go|html?|css|png|svg|jpg|gif|enc|gpg|asc|sh|sql|md)$/;
/** `com.acme.Token`, `auth.password.label`: names of things in code. */
const DOTTED_NAME = /^[A-Za-z_$][\w$-]*(?:(?:\.|::|->|\\\\?|\/)[A-Za-z_$][\w$-]*)+(?:\(.*)?$/;
const CALL = /^[\w.$:>-]{1,80}\(/;
const CODE = /^[)\],;:}+?|&]|\),|\w\($|^=>|;$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/;
const DURATION_OR_SIZE =
  /^\d+\.(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)$|^\d+(?:\.\d+)?\s?(?:ms|s|m|h|d|w|min|sec|hours?|days?|minutes?|seconds?|kb|mb|gb|px|em|%)$/i;
const VERSION = /^[~^v=<>]{0,2}\d{1,6}(?:\.\d{1,6}){1,3}(?:[-+.][\w.]+)?$/;
const COLOUR = /^#[0-9a-f]{3,8}$/i;
const SELECTOR = /^[#.][A-Za-z][\w-]*$|\[\w+[~^$*|]?=|^[a-z]+[.#[]/;
const REGULAR_EXPRESSION = /^\^|\$$(?<=\)\$|\]\$|\}\$)|\\[dwsbDWS]|\(\?[:=!<]|\[[^\]]*-[^\]]*\]|\{\d+,\d*\}/;
/** Rules of a form: `required|min:8`. */
const VALIDATION = /^(?:required|nullable|sometimes|bail)\b|\|(?:min|max|regex|confirmed)\b/;
/** An option of a command. */
const OPTION = /^--?[a-z][\w-]*(?:[/ =]|$)/i;
const SHORTCUT = /^(?:Ctrl|Control|Cmd|Command|Alt|Option|Shift|Meta|Super)[+-]/i;
const ESCAPES = /(?:\\x[0-9a-f]{2}){3}|(?:\\u[0-9a-f]{4}){3}/i;
const LIST_ITEM_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Whether the value stands for one that is put in elsewhere, is hashed or encrypted, or names something. */
export function isNoSecretByShape(value: string): boolean {
  return isReference(value) || MADE_UNREADABLE.test(value) || isPathOrAddress(value) || isMachineWord(value);
}

export function isReference(value: string): boolean {
  return REFERENCE.test(value) || CONTAINS_TEMPLATE.test(value);
}

export function isMadeUnreadable(value: string): boolean {
  return MADE_UNREADABLE.test(value);
}

function isPathOrAddress(value: string): boolean {
  return PATH_OR_ADDRESS.test(value) || looksLikeFilePath(value);
}

/** Two separators at least, parts of letters. */
function looksLikeFilePath(value: string): boolean {
  return /^[\w.-]*(?:\/[\w.-]+){2,}\/?$/.test(value) && value.length < 120 && !looksRandom(value);
}

function isMachineWord(value: string): boolean {
  return (
    DATE.test(value) ||
    DURATION_OR_SIZE.test(value) ||
    VERSION.test(value) ||
    COLOUR.test(value) ||
    VALIDATION.test(value) ||
    ESCAPES.test(value) ||
    SHORTCUT.test(value) ||
    OPTION.test(value) ||
    LIST_ITEM_NAME.test(value)
  );
}

/** In minified code, what stands between two texts: `+n);switch(q){…` of `"state, token: "+n);switch(q){…"`. */
export function isCodeBetweenTexts(value: string): boolean {
  return /^\s*\+\s*[A-Za-z_$][\w$.]*[\])]*\s*[,;+)]/.test(value) && /[(){};]/.test(value);
}

/** Code, or what code uses: a call, a name with dots, a selector, a regular expression. */
export function looksLikeCode(value: string): boolean {
  return (
    CODE.test(value) ||
    CALL.test(value) ||
    DOTTED_NAME.test(value) ||
    SELECTOR.test(value) ||
    REGULAR_EXPRESSION.test(value)
  );
}

/** Words for people: several with spaces between, or one with the mark that ends a sentence. */
export function looksLikeProse(value: string): boolean {
  if (/^\p{L}+[:?….]{1,3}\*?$/u.test(value.trim())) return true;
  const words = value.trim().split(/\s+/);
  if (words.length < 2) return false;
  const plain = words.filter((word) => /^["'(]?\p{L}[\p{L}'’-]*[)"',.:;!?…]*$/u.test(word)).length;
  return plain / words.length >= 0.6;
}

/** Keys of messages, names in kebab or snake case: words of letters joined by separators. */
export function looksLikeJoinedWords(value: string): boolean {
  return /^[A-Za-z]+(?:[-_.:/ ][A-Za-z]+)+[:!?.*]?$/.test(value);
}
