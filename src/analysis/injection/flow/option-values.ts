import { type OptionProgram, optionProgram } from '../rules/option-programs.ts';
import { UNKNOWN_PART, unfollowedPart, type Value } from './value.ts';

/** An argument that its program may take as an option. */
export interface OptionValue {
  readonly value: Value;
  readonly program: OptionProgram;
  /** Among the arguments, the program being the first. */
  readonly index: number;
}

/** Programs that run another one, which follows their own arguments. */
const RUNNER = /^(?:.*[\\/])?(?:sudo|doas|env|nice|nohup|timeout|ionice|stdbuf|setsid|time)$/;
const RUNNER_ARGUMENT = /^(?:-.*|\w+=.*|\d[\d.]*[smhd]?)$/s;

/** The argument that the program takes as an option if it begins with `-`; null: an attacker chooses no such argument. */
export function optionValue(words: readonly Value[]): OptionValue | null {
  const start = programIndex(words);
  const program = optionProgram(words[start]?.text ?? '');
  if (program === undefined) return null;
  for (let index = start + 1; index < words.length; index++) {
    const value = words[index]!;
    if (program.end !== null && (value.text === '--' || value.text === program.end)) return null;
    const isValued = program.valued.test(words[index - 1]?.text ?? '') && index > start + 1;
    if (!isValued && mayBeginWithDash(value)) return { value, program, index };
  }
  return null;
}

/** Where the program stands that is run in the end: `git` of `sudo -u www git log`. */
export function programIndex(words: readonly Value[]): number {
  let index = 0;
  while (RUNNER.test(words[index]?.text ?? '')) {
    index += 1;
    while (RUNNER_ARGUMENT.test(words[index]?.text ?? '')) index += words[index]!.text === '-u' ? 2 : 1;
  }
  return index;
}

function mayBeginWithDash(value: Value): boolean {
  if (value.taint.option !== undefined) return true;
  // Nothing tells what it is.
  return (
    value.taint.command === undefined &&
    unfollowedPart(value) !== null &&
    (value.text ?? UNKNOWN_PART).startsWith(UNKNOWN_PART)
  );
}
