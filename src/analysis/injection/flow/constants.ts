import { type Constant, constantValue, literalValue, UNKNOWN, type Value } from './value.ts';

const TRUE = new Set(['true', 'True', 'TRUE']);
const FALSE = new Set(['false', 'False', 'FALSE']);
const NOTHING = new Set(['null', 'nil', 'None', 'NULL', 'undefined']);

/** The value of a number, boolean, null or character as written. */
export function writtenConstant(text: string): Value {
  if (TRUE.has(text)) return { ...UNKNOWN, text, constant: true };
  if (FALSE.has(text)) return { ...UNKNOWN, text, constant: false };
  if (NOTHING.has(text)) return { ...UNKNOWN, text, constant: null };
  const first = text.charCodeAt(0);
  if (first === 39) return { ...UNKNOWN, text, constant: text.slice(1, -1) };
  if (first < 48 || first > 57) return { ...literalValue(text), constant: undefined };
  const number = Number(text.replaceAll('_', '').replace(/(?<!^0x.*)[lLuUfFdDmMn]+$/, ''));
  return { ...UNKNOWN, text, constant: Number.isNaN(number) ? undefined : number };
}

/** The result of an operator; unknown where an operand is not known, or where languages differ. */
export function binaryResult(operator: string, left: Value, right: Value, integerDivision: boolean): Value {
  if (left.constant === undefined || right.constant === undefined) return UNKNOWN;
  const result = compute(operator, left.constant, right.constant, integerDivision);
  return result === undefined ? UNKNOWN : constantValue(result);
}

function compute(operator: string, left: Constant, right: Constant, integerDivision: boolean): Constant | undefined {
  switch (operator) {
    case '==':
    case '===':
    case 'is':
      return typeof left === typeof right ? left === right : isEmpty(left, right);
    case '!=':
    case '!==':
    case '<>':
    case 'is not':
      return typeof left === typeof right ? left !== right : negated(isEmpty(left, right));
    default:
      return typeof left === 'number' && typeof right === 'number'
        ? computeNumbers(operator, left, right, integerDivision)
        : undefined;
  }
}

/** A comparison with null: equal is only null. Others of different types depend on the language. */
function isEmpty(left: Constant, right: Constant): boolean | undefined {
  return left === null || right === null ? false : undefined;
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function computeNumbers(
  operator: string,
  left: number,
  right: number,
  integerDivision: boolean,
): number | boolean | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/': {
      if (right === 0) return undefined;
      return integerDivision && Number.isInteger(left) && Number.isInteger(right)
        ? Math.trunc(left / right)
        : left / right;
    }
    case '//':
      return right === 0 ? undefined : Math.floor(left / right);
    case '%':
      // Of negative numbers, languages differ.
      return right <= 0 || left < 0 ? undefined : left % right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return undefined;
  }
}

/** Whether a test of the value is certainly passed or not; undefined: not known. Languages differ on empty texts and zero. */
export function truthOf({ constant }: Value): boolean | undefined {
  if (typeof constant === 'boolean') return constant;
  return constant === null ? false : undefined;
}

/** The sum or concatenation of constants; undefined: not all are known. */
export function concatConstant(values: readonly Value[]): Constant | undefined {
  let result: Constant | undefined;
  for (const { constant } of values) {
    if (typeof constant !== 'string' && typeof constant !== 'number') return undefined;
    if (result === undefined) result = constant;
    else if (typeof result === 'number' && typeof constant === 'number') result += constant;
    else result = String(result) + String(constant);
  }
  return result;
}

/** The result of a method of a known text with known arguments; null: not computed. */
export function textMethodResult(name: string, text: Value, args: readonly Value[]): Value | null {
  const { constant } = text;
  if (typeof constant !== 'string') return null;
  const [first, second] = args.map((value) => value.constant);
  if (args.length > 0 && first === undefined) return null;
  const result = computeText(name, constant, first, second, args.length);
  return result === undefined ? null : constantValue(result);
}

function computeText(
  name: string,
  text: string,
  first: Constant | undefined,
  second: Constant | undefined,
  count: number,
): Constant | undefined {
  switch (name) {
    case 'charAt':
      return typeof first === 'number' ? text.charAt(first) : undefined;
    case 'length':
    case 'Length':
      return text.length;
    case 'trim':
    case 'strip':
    case 'Trim':
      return count === 0 ? text.trim() : undefined;
    case 'toLowerCase':
    case 'lower':
    case 'ToLower':
    case 'ToLowerInvariant':
    case 'downcase':
      return text.toLowerCase();
    case 'toUpperCase':
    case 'upper':
    case 'ToUpper':
    case 'ToUpperInvariant':
    case 'upcase':
      return text.toUpperCase();
    case 'substring':
    case 'slice': {
      if (typeof first !== 'number' || first < 0 || count > 2 || (count === 2 && typeof second !== 'number'))
        return undefined;
      return text.slice(first, count === 2 ? Number(second) : undefined);
    }
    case 'equals':
    case 'Equals':
    case 'eql?':
      return count === 1 ? text === first : undefined;
    case 'equalsIgnoreCase':
      return typeof first === 'string' ? text.toLowerCase() === first.toLowerCase() : undefined;
    case 'startsWith':
    case 'startswith':
    case 'StartsWith':
    case 'start_with?':
      return typeof first === 'string' && count === 1 ? text.startsWith(first) : undefined;
    case 'endsWith':
    case 'endswith':
    case 'EndsWith':
    case 'end_with?':
      return typeof first === 'string' && count === 1 ? text.endsWith(first) : undefined;
    case 'contains':
    case 'includes':
    case 'Contains':
    case 'include?':
      return typeof first === 'string' && count === 1 ? text.includes(first) : undefined;
    case 'isEmpty':
    case 'empty?':
      return count === 0 ? text === '' : undefined;
    case 'indexOf':
      return typeof first === 'string' && count === 1 ? text.indexOf(first) : undefined;
    case 'toString':
    case 'ToString':
    case 'to_s':
    case 'String':
      return count === 0 ? text : undefined;
    default:
      return undefined;
  }
}
