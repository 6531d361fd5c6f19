import type { Sink } from '../rules/rules.ts';
import type { CallArgument, EvaluatedCall } from './call-types.ts';
import { concatValues } from './join-values.ts';
import { programIndex } from './option-values.ts';
import { namedArgument, positionalArguments } from './sink-arguments.ts';
import { isTainted, literalValue, type Value } from './value.ts';

const INTERPRETER =
  /^(?:.*[\\/])?(?:sh|bash|zsh|dash|ksh|cmd|cmd\.exe|powershell|powershell\.exe|pwsh|python3?|perl|ruby|node|php)$/i;
/** Those that make one command of all words behind the flag. */
const JOINS_WORDS = /(?:^|[\\/])(?:cmd|cmd\.exe|powershell|powershell\.exe|pwsh)$/i;
const RUN_FLAG = /^(?:-[a-z]*c|-e|-r|\/c|\/k|-command|-encodedcommand|--command|--eval)$/i;

/** The arguments of the call, after the program where the receiver was made with it. */
export function argumentsOf({ programInReceiver }: Sink, { node, args }: EvaluatedCall): readonly CallArgument[] {
  if (programInReceiver !== true) return args;
  // The call that the chain begins with.
  let made = node;
  while (made.callee.op === 'member' && made.callee.object.op === 'call') made = made.callee.object;
  const program = made === node ? undefined : made.args[0]?.value;
  if (program?.op !== 'string') return [];
  return [{ name: null, node: program, value: literalValue(program.text), result: null }, ...args];
}

/** The arguments that are the command: a text, a list, or a program and its arguments. */
export function commandArguments(sink: Sink, args: readonly CallArgument[]): CallArgument[] {
  const named = namedArgument(sink, args);
  const first = typeof sink.argument === 'number' ? sink.argument : 0;
  const extra = args.filter(({ name }) => name !== null && sink.extraArguments?.includes(name) === true);
  const found = [...(named === undefined ? positionalArguments(args).slice(first) : [named]), ...extra];
  // `new Deno.Command('sh', { args })`
  return found.flatMap((argument) => {
    const { fields } = argument.value;
    const list = fields?.get('args');
    return fields === null ? [argument] : list?.elements == null ? [] : [{ ...argument, value: list }];
  });
}

/** The program and its arguments, where no shell reads them; empty: a shell does. */
export function programWords(sink: Sink, args: readonly CallArgument[]): Value[] {
  const data = commandArguments(sink, args).map(({ value }) => value);
  const isList = data[0]?.elements != null;
  const isShell =
    sink.execution === 'optional'
      ? hasShellOption(args)
      : sink.execution !== 'program' && !isList && (sink.execution !== 'single' || data.length === 1);
  return isShell ? [] : data.flatMap((value) => value.elements ?? [value]);
}

/** Programs that run the program among their arguments: in a container, as another user, for each file. */
const HOLDER =
  /^(?:.*[\\/])?(?:docker|podman|nerdctl|kubectl|oc|lxc|chroot|nsenter|su|runuser|xargs|find|parallel|flock|script|ssh)$/;
/** Programs that pass the arguments after the name of a host to a shell there. */
const REMOTE = /^(?:.*[\\/])?(?:ssh|autossh|rsh)$/;

/** What the shell of another host runs; null: nothing that is not known. */
function remoteCommand(words: readonly Value[]): Value | null {
  let host = 0;
  while (words[host]?.text?.startsWith('-') === true)
    host += /^-[A-Za-z]*[bcDEeFIiJLlmOopQRSWw]$/.test(words[host]!.text!) ? 2 : 1;
  const command = words.slice(host + 1);
  return command.some((value) => isTainted(value) || value.unfollowed !== null) ? concatValues(command, false) : null;
}

/** The part of the arguments that a shell interprets; null if no shell does. */
export function commandValue(sink: Sink, args: readonly CallArgument[]): Value | null {
  const data = commandArguments(sink, args).map(({ value }) => value);
  const [command] = data;
  if (command === undefined) return null;
  const isList = command.elements !== null;
  switch (sink.execution) {
    case 'optional': {
      const words = data.flatMap((value) => value.elements ?? [value]);
      return hasShellOption(args) ? concatValues(words, false) : interpretedValue(data);
    }
    case 'program': {
      const split =
        sink.splitsArguments === true
          ? data.slice(1).find((value) => isTainted(value) && value.elements === null)
          : null;
      return interpretedValue(data) ?? split ?? null;
    }
    case 'single':
      return data.length === 1 && !isList ? command : interpretedValue(data);
    default:
      return isList ? interpretedValue(data) : command;
  }
}

function hasShellOption(args: readonly CallArgument[]): boolean {
  const fields = args.map(({ value }) => value.fields?.get('shell'));
  const option = args.find(({ name }) => name === 'shell')?.value ?? fields.find((value) => value !== undefined);
  // Where it is computed, it may be true.
  return option !== undefined && !/^(false|False|0|nil|null|undefined|None)$/.test(option.text ?? '');
}

/** Of a program and its arguments: the program, or the code that is passed to it where it is an interpreter. */
export function interpretedValue(values: readonly Value[]): Value | null {
  const all = values.flatMap((value) => value.elements ?? [value]);
  const [name] = all;
  if (name === undefined) return null;
  if (isTainted(name)) return name.taint.command?.level === 'request' || name.isBuilt ? name : null;
  const start = programIndex(all);
  if (REMOTE.test(all[start]?.text ?? '')) return remoteCommand(all.slice(start + 1));
  const isHolder = HOLDER.test(all[start]?.text ?? '');
  const at = isHolder ? all.findIndex(({ text }, index) => index > start && INTERPRETER.test(text ?? '')) : start;
  if (!INTERPRETER.test(all[at]?.text ?? '')) return null;
  const rest = all.slice(at + 1);
  const flag = rest.findIndex(({ text }) => text !== null && RUN_FLAG.test(text));
  if (flag !== -1)
    return (
      rest
        .slice(flag + 1, JOINS_WORDS.test(all[at]!.text!) ? undefined : flag + 2)
        .find((value) => isTainted(value) || value.unfollowed !== null) ?? null
    );
  return (
    rest.find(({ text, isBuilt }) => isBuilt && text !== null && /^\s*(?:-[a-z]*c|\/c|\/k|-command)\s/i.test(text)) ??
    null
  );
}
