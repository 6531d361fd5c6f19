import type { IrNode } from '../ir/ir.ts';
import type { CallArgument, EvaluatedCall } from './call-types.ts';
import { truthOf } from './constants.ts';
import type { Evaluator } from './evaluator.ts';
import { concatValues } from './join-values.ts';
import { isTainted, listValue, literalValue, type Value } from './value.ts';

/** Tags whose template is a command: `$` of execa, zx and Bun. */
const TAG =
  /(?:^|\.)(?:execa|execaSync|execaNode|zx|bun|Bun)\.(?:\$|execa|execaSync|sync)(?:\(\))?$|^(?:execa|\$)(?:\(\))?$/;

/** The command of a tagged template; null: the tag runs no command. */
export interface TaggedCommand {
  /** The whole text, where a shell reads it. */
  readonly text: Value | null;
  /** The program and its arguments, where none does. */
  readonly words: readonly Value[];
}

/** The command that the tag runs; null: the tag runs none. */
export function taggedCommand(
  evaluator: Evaluator,
  { node, callee, args, scope }: EvaluatedCall,
): TaggedCommand | null {
  const [template] = args;
  if (template === undefined || !callee.names.some((name) => TAG.test(name))) return null;
  const options = node.callee.op === 'call' ? node.callee.args : [];
  const isShell = options.some(({ value }) => {
    const shell = evaluator.evaluate(value, scope).fields?.get('shell');
    return shell !== undefined && truthOf(shell) !== false;
  });
  if (isShell) return { text: template.value, words: [] };
  const parts = template.node.op === 'concat' ? template.node.parts : [template.node];
  // Bun writes `${{ raw: text }}` into the command as it is.
  const raw = parts.map((part) =>
    part.op === 'record' ? evaluator.evaluate(part, scope).fields?.get('raw') : undefined,
  );
  const text = raw.find((value) => value !== undefined && isTainted(value));
  if (text !== undefined) return { text, words: [] };
  return { text: null, words: wordsOf(evaluator, parts, scope) };
}

/** The words between spaces; a list stands for several. */
function wordsOf(evaluator: Evaluator, parts: readonly IrNode[], scope: EvaluatedCall['scope']): Value[] {
  const words: Value[] = [];
  let isOpen = false;
  const add = (value: Value): void => {
    if (isOpen) words.push(concatValues([words.pop()!, value]));
    else words.push(value);
    isOpen = true;
  };
  for (const part of parts) {
    if (part.op !== 'string') {
      const value = evaluator.evaluate(part, scope);
      if (value.elements === null || isOpen) add(value);
      else words.push(...value.elements);
      continue;
    }
    for (const [index, word] of part.text.split(/\s+/).entries()) {
      if (index > 0) isOpen = false;
      if (word !== '') add(literalValue(word));
    }
  }
  return words;
}

/** What the function of a tagged template gets: its texts as a list, then each value. */
export function templateArguments(evaluator: Evaluator, { args, scope }: EvaluatedCall): CallArgument[] {
  const [template] = args;
  if (template === undefined) return [];
  const { node } = template;
  const texts = [''];
  const values: CallArgument[] = [];
  for (const part of node.op === 'concat' ? node.parts : [node]) {
    if (part.op === 'string') texts.push(texts.pop()! + part.text);
    else {
      values.push({ name: null, node: part, value: evaluator.evaluate(part, scope), result: null });
      texts.push('');
    }
  }
  return [{ name: null, node, value: listValue(texts.map(literalValue)), result: null }, ...values];
}
