import type { Edit } from '../../source-text.ts';
import type { IrNode } from '../../ir/ir.ts';
import type { Sink } from '../../rules/rules.ts';
import type { EvaluatedCall } from '../call-types.ts';
import type { Evaluator } from '../evaluator.ts';
import { type BuiltText, builtText } from './built-text.ts';

/** What has no meaning for a shell. */
const PLAIN_TEXT = /^[\w\s.,:=@%+/-]*$/;
const FILE_FUNCTIONS: Readonly<Record<string, string>> = { exec: 'execFile', execSync: 'execFileSync' };
const SHELL_FLAG = /^-c$/;
/** Commands of a shell that are no programs. */
const BUILT_IN = /^"(?:cd|export|source|set|eval|exec|type|alias|ulimit|umask|\.|if|for|while)"$/;
/** Functions that take the program and its arguments one by one. */
const TAKES_WORDS = /^(?:system|exec|spawn|capture2e?|capture3|popen2e?|popen3)$/;
const CHILD_PROCESS = /(^|\.)(child_process|cp|childProcess)\.exec(Sync)?$/;

/** The call with the program and its arguments apart, without a shell; null: it cannot be written so with certainty. */
export function listArguments(evaluator: Evaluator, sink: Sink, call: EvaluatedCall, command: IrNode): Edit[] | null {
  const built = builtText(evaluator, command);
  const words = built === null ? null : wordsOf(built);
  if (words === null || !words[0]!.startsWith('"') || BUILT_IN.test(words[0]!)) return null;
  const { node, args } = call;
  const { name } = node.callee.op === 'member' || node.callee.op === 'variable' ? node.callee : { name: '' };
  const [open, close] = evaluator.rules.fixes.list;
  const [program, ...rest] = words;
  const before = args.slice(
    0,
    args.findIndex((argument) => argument.node === command),
  );
  // `"sh", "-c", command`: the whole of it becomes the program and its arguments.
  if (before.length === 2 && SHELL_FLAG.test(before[1]!.value.text ?? '')) {
    return [{ span: { start: before[0]!.node.syntax.start, end: command.syntax.end }, text: words.join(', ') }];
  }
  if (before.length > 0) return null;
  const shell = args.find((argument) => argument.name === 'shell');
  if (shell !== undefined && shell.value.text === 'True') {
    return [
      { span: command.syntax, text: `[${words.join(', ')}]` },
      { span: shell.node.syntax, text: 'False' },
    ];
  }
  const fileFunction = Object.hasOwn(FILE_FUNCTIONS, name) ? FILE_FUNCTIONS[name]! : null;
  if (fileFunction !== null && open === '[' && sink.execution === 'shell') {
    const isKnown =
      node.callee.op === 'member'
        ? call.callee.names.some((qualified) => CHILD_PROCESS.test(qualified))
        : evaluator.program.declared.has(fileFunction);
    if (!isKnown) return null;
    return [
      { span: node.calleeName, text: fileFunction },
      { span: command.syntax, text: `${program}, [${rest.join(', ')}]` },
    ];
  }
  if (sink.execution === 'single' && args.length === 1 && TAKES_WORDS.test(name))
    return [{ span: command.syntax, text: words.join(', ') }];
  if (name === 'exec' && open.startsWith('new String')) {
    return [{ span: command.syntax, text: `${open}${words.join(', ')}${close}` }];
  }
  return null;
}

/** The words of a command, each a literal or the code of a value; null: a value is a part of a word, or a shell is needed. */
function wordsOf({ texts, values }: BuiltText): string[] | null {
  const words: string[] = [];
  for (const [index, raw] of texts.entries()) {
    const isFirst = index === 0;
    const isLast = index === texts.length - 1;
    // Quotes of the shell around a value.
    const text = raw.replace(isFirst ? /(?!)/ : /^['"]/, '').replace(isLast ? /(?!)/ : /['"]$/, '');
    if (!PLAIN_TEXT.test(text)) return null;
    if ((!isLast && !/(^|\s)$/.test(text)) || (!isFirst && !/^(\s|$)/.test(text))) return null;
    if (!isFirst && !isLast && text === '') return null;
    words.push(
      ...text
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => `"${word}"`),
    );
    if (!isLast) words.push(values[index]!);
  }
  return words;
}
