import type { Command } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

export function addHistoryCommand(program: Command): void {
  const history = program
    .command('history')
    .description('Add what changed on earlier days to the history of the catalog.')
    .helpCommand(false);
  history
    .command('import')
    .description(
      'Read files of earlier days, each of which is compared with the one before: epss/epss_scores-DATE.csv.gz, kev/history/known_exploited_vulnerabilities-DATE.json.gz, and the baseline and deltas in cvelistV5/.',
    )
    .argument('<folder>', 'the folder with epss/, kev/ and cvelistV5/')
    .addOption(createJsonOption())
    .action(async (folder: string, _: unknown, command: Command) => {
      const { importAndPrintHistory } = await import('../import-history.ts');
      await importAndPrintHistory(folder, wantsJson(command));
    });
}
