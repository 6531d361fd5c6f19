import type { Scope } from './scope.ts';

/** What `run` gives for each choice, of which the program takes one: each starts from the scope, in which all of them are joined then. */
export function inEither<Choice, Result>(
  scope: Scope,
  choices: readonly Choice[],
  run: (choice: Choice, state: Scope) => Result,
): Result[] {
  const [only] = choices;
  if (only !== undefined && choices.length === 1) return [run(only, scope)];
  const made = choices.map((choice) => {
    const state = scope.branch();
    return { state, result: run(choice, state) };
  });
  scope.join(made.map(({ state }) => state));
  return made.map(({ result }) => result);
}
