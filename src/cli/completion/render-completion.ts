import type { CommandDescription } from '../command-tree.ts';
import { renderBashCompletion } from './bash.ts';
import { renderFishCompletion } from './fish.ts';
import type { CompletionShell } from './shells.ts';
import { renderZshCompletion } from './zsh.ts';

const RENDERERS: Readonly<Record<CompletionShell, (program: CommandDescription) => string>> = {
  bash: renderBashCompletion,
  zsh: renderZshCompletion,
  fish: renderFishCompletion,
};

/** The script that a shell loads. It has all words in it, so that the program is not started at each key. */
export function renderCompletion(shell: CompletionShell, program: CommandDescription): string {
  return RENDERERS[shell](program);
}
