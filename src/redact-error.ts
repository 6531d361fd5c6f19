import { describeSystemError, isSystemError } from './system-error.ts';

const STACK_FRAME_PATTERN = /^ {4}at .*(?:file:\/\/|node:|<anonymous>|native|\))/;
const QUOTED_PATTERN = /'[^'\n]*'|"[^"\n]*"/g;
const MASK = "'…'";

/**
 * Messages of V8 (messages/message-template.h) that hold nothing but fixed text, expressions of the source code, and quoted values,
 * which are masked before. Other messages may hold what was asked or what a target answered.
 */
const SAFE_MESSAGES: readonly RegExp[] = [
  /^Cannot (?:read|set) properties of (?:undefined|null)(?: \((?:reading|setting) '…'\))?$/,
  /^Cannot destructure property '…' of '…' as it is (?:undefined|null)\.$/,
  /^Cannot access '…' before initialization$/,
  /^Cannot convert undefined or null to object$/,
  /^Cannot mix BigInt and other types, use explicit conversions$/,
  /^Assignment to constant variable\.$/,
  /^Do not know how to serialize a BigInt$/,
  /^(?:[\w$]+\.){0,5}[\w$]+(?:\(\.\.\.\))? is not (?:defined|iterable|a function|a constructor)$/,
  /^Invalid (?:array length|string length|time value|typed array length)$/,
  /^Array buffer allocation failed$/,
  /^Maximum call stack size exceeded$/,
  /^Reduce of empty array with no initial value$/,
];

interface RedactedError {
  type: string;
  code?: string;
  /** Absent where it may hold input. */
  message?: string;
  /** Frames only. */
  stack: string;
}

/**
 * An error for the log: type, code and stack frames, and the message where it cannot hold input or text of third parties: errors
 * of the system in fixed words, known messages of V8 without quoted values. Other properties are dropped.
 */
export function redactError(error: unknown): RedactedError {
  if (!(error instanceof Error)) return { type: typeof error, stack: '' };
  const { name, message, stack = '' } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const safe = safeMessage(error);
  const head = stack.indexOf(message);
  const frames = (head === -1 ? stack : stack.slice(head + message.length)).split('\n');
  return {
    type: name,
    ...code,
    ...(safe !== null && { message: safe }),
    stack: frames.filter((line) => STACK_FRAME_PATTERN.test(line)).join('\n'),
  };
}

function safeMessage(error: Error): string | null {
  if (isSystemError(error)) return describeSystemError(error);
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)) return null;
  const masked = error.message.replace(QUOTED_PATTERN, MASK);
  return SAFE_MESSAGES.some((pattern) => pattern.test(masked)) ? masked : null;
}
