const STACK_FRAME_PATTERN = /^ {4}at .*(?:file:\/\/|node:|<anonymous>|native|\))/;

/** Where an error was thrown, and of which kind: its words, and what it carries beside them, may be what was asked. */
export function redactError(error: unknown): { type: string; code?: string; stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, stack: '' };
  const { name, message, stack = '' } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const head = stack.indexOf(message);
  const frames = (head === -1 ? stack : stack.slice(head + message.length)).split('\n');
  return { type: name, ...code, stack: frames.filter((line) => STACK_FRAME_PATTERN.test(line)).join('\n') };
}
