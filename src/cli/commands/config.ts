import type { Command } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('Show every setting: its value here, its default, what it means.')
    .addOption(createJsonOption())
    .action(async (_, command: Command) => {
      const [{ describeConfig }, { loadConfig }, { printOutput }, { renderTable }] = await Promise.all([
        import('../../config.ts'),
        import('../load-config.ts'),
        import('../output.ts'),
        import('../table.ts'),
      ]);
      const settings = describeConfig(loadConfig());
      printOutput(wantsJson(command), { settings }, (width) =>
        renderTable(
          [
            { title: 'variable' },
            { title: 'value', wrap: true },
            { title: 'default', wrap: true },
            { title: 'meaning', wrap: true },
          ],
          settings.map((setting) => [setting.variable, setting.value, setting.default, setting.means]),
          width,
        ),
      );
    });
}
