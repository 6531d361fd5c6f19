import { Argument, type Command } from 'commander';
import { COMPLETION_SHELLS, type CompletionShell } from '../completion/shells.ts';

const HELP_TEXT = `
Load it at the start of a shell:
  bash  source <(sextant completion bash)      in ~/.bashrc
  zsh   source <(sextant completion zsh)       in ~/.zshrc, after compinit
  fish  sextant completion fish | source       in ~/.config/fish/config.fish`;

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print the completion of commands, options and values for a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(COMPLETION_SHELLS))
    .addHelpText('after', HELP_TEXT)
    .action(async (shell: CompletionShell) => {
      const [{ createCompleteProgram }, { describeCommand }, { renderCompletion }] = await Promise.all([
        import('../program.ts'),
        import('../command-tree.ts'),
        import('../completion/render-completion.ts'),
      ]);
      process.stdout.write(renderCompletion(shell, describeCommand(await createCompleteProgram())));
    });
}
