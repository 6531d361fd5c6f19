import { NameTest } from './name-test.ts';

/** Names of classes and settings, of what the language or the system provides, and of constants: no attacker chooses these. */
const TRUSTED_NAME = new NameTest(
  /^(?:[$@]*(?:[A-Z][A-Z0-9_]+|__\w+|(?:this|self|super|cls|undefined|nil|null|true|false|arguments|globalThis|process|sys|os|\w*(?:[cC]onfig(?:uration)?|[sS]ettings?|[oO]ptions|[eE]nv(?:ironment)?|[cC]onst(?:ants?)?|[vV]ersion|[lL]ocale|[dD]ir(?:ectory)?|[fF]older|[rR]oot|[bB]ase|[pP]refix|[nN]ow|[tT]oday))))$/,
);
/** Calls whose result is made by the program or the system: times, random names, folders, settings, hashes, numbers. */
const MAKING_CALL = new NameTest(
  /context|nameof|tosql|array_fill|n?copies|joining|builder|criteria|^cb\.|uuid|guid|random|nano_?id|\bulid|time|date|now\b|today|te?mp|cwd|getwd|host_?name|\bpid|home|config|setting|\benv|constant|version|sha\d|md5|hash|digest|nonce|folder|\bdir|root|base|\bpath\(|resource|prefix|len\b|length|size|count|sum\b|total|max|min|abs|round|ceil|floor|parse(?:int|float|long|double)|atoi|\bint|number|index|position|range|keys\b|enum|escape|quote|encode|sanit|clean|safe|filter|valid|allow|whitelist|slug|basename|normali[sz]e|hex\b|is[A-Z_]|placeholders?|repeat|dialect|schema|\bid\b|now\(/i,
);

const CLASS_NAME = /^[A-Z]/;

/** Whether data from elsewhere may be in a variable that the code does not set; a class or module has a name like this too. */
export function isVariableElsewhere(name: string): boolean {
  return !CLASS_NAME.test(name) && isSetElsewhere(name);
}

/** Whether data from elsewhere may be in a variable or field with this name. */
export function isSetElsewhere(name: string): boolean {
  return !TRUSTED_NAME.test(name);
}

/** Whether the call of this qualified name returns what nobody outside of the program chooses. */
export function isMaking(qualifiedName: string): boolean {
  return MAKING_CALL.test(qualifiedName);
}
