import { type Command, InvalidArgumentError, Option } from 'commander';
import { SEVERITIES } from '../../analysis/severity.ts';
import { createJsonOption, wantsJson } from '../json-option.ts';
import { createAllOption, printOptionsOf } from '../print-options.ts';
import type { AddOptions } from '../watch/add-watch.ts';
import type { WatchCommandId } from '../watch/run-watch-operation.ts';

const HELP_TEXT = `
Without a command it follows the watches in the terminal, and ends with Ctrl-C: a line for people, a JSON document a line where standard
output is no terminal.

Changes are matched and delivered by the service ("sextant serve"), or once by "sextant watch run", for cron. Watches that are made here
belong to the local user of this data folder; the service shows them to who asks it on loopback.

Examples:
  sextant watch add pkg:npm/lodash@4.17.20 --severity high --slack https://hooks.slack.com/services/...
  sextant watch add package-lock.json --name shop --daily 08:00 --mail security@example.com
  sextant watch add apache:log4j@2.14.1 --webhook https://example.com/hook --quiet 22:00-07:00
  sextant watch export > watches.json`;

export function addWatchCommand(program: Command): void {
  const watch = program
    .command('watch')
    .description('Watch CVEs, products, packages, lockfiles, domains: what changed, in the terminal or delivered.')
    .helpCommand(false)
    .option('--since <time>', 'first show what is kept since a day or a time')
    .addOption(createJsonOption())
    .addHelpText('after', HELP_TEXT)
    .action(async ({ since }: { since?: string }, command: Command) => {
      const { followWatches } = await import('../watch/follow-watches.ts');
      await followWatches({ since: since ?? null, jsonLines: wantsJson(command) || !process.stdout.isTTY });
    });
  addAddCommand(watch);
  addOperation(watch, 'watch_list', 'list', 'Show all watches.');
  addOperation(watch, 'watch_lookup', 'show', 'Show one watch.');
  addOperation(watch, 'watch_events', 'events', 'Show what changed about the subject of a watch.', [
    new Option('--since <time>', 'a day, a time, a next_cursor, or latest'),
    new Option('--limit <number>', 'events at most, 1-200'),
  ]);
  addOperation(watch, 'watch_deliveries', 'deliveries', 'Show what was delivered, what waits, and what was given up.', [
    new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'dead', 'muted']),
    new Option('--limit <number>', 'rows at most, 1-200'),
  ]);
  addOperation(watch, 'watch_update', 'pause', 'Pause a watch: changes are not matched.', [], () => ({ paused: true }));
  addOperation(watch, 'watch_update', 'resume', 'Resume a watch, and end its mute.', [], () => ({
    paused: false,
    mute: null,
  }));
  addOperation(
    watch,
    'watch_update',
    'mute',
    'Keep what changes, and deliver none of it, until a day or a time.',
    [
      new Option('--until <time>', 'a day or a time (UTC)').makeOptionMandatory(),
      new Option('--reason <text>', 'why').makeOptionMandatory(),
    ],
    ({ until, reason }) => ({ mute: { until, reason } }),
  );
  addOperation(watch, 'watch_test', 'test', 'Send a test message to each channel of a watch.');
  addOperation(watch, 'watch_replay', 'replay', 'Match and deliver the changes of a period again.', [
    new Option('--since <time>', 'a day or a time (UTC)').makeOptionMandatory(),
    new Option('--until <time>', 'default: now'),
  ]);
  addOperation(watch, 'watch_delete', 'delete', 'Delete a watch with its events and deliveries.');
  watch
    .command('export')
    .description('Print all watches as JSON, for import here or elsewhere. Secrets of webhooks are not in it.')
    .action(async () => {
      const { exportWatches } = await import('../watch/exchange-watches.ts');
      await exportWatches();
    });
  watch
    .command('import')
    .description('Make the watches of an export. Signed webhooks get new secrets, which are printed.')
    .argument('<file>', 'what export printed; - is standard input')
    .addOption(createJsonOption())
    .action(async (file: string, _, command: Command) => {
      const { importWatches } = await import('../watch/exchange-watches.ts');
      await importWatches(file, wantsJson(command));
    });
  watch
    .command('run')
    .description('Match the changes since the last time and deliver what is due, once: for cron, without the service.')
    .addOption(createJsonOption())
    .action(async (_, command: Command) => {
      const { runWatches } = await import('../watch/run-watches.ts');
      await runWatches(wantsJson(command));
    });
}

function addAddCommand(watch: Command): void {
  watch
    .command('add')
    .description('Watch something, recognised as sextant lookup does, or the packages of a lockfile or an SBOM.')
    .argument(
      '<thing...>',
      'CVE id, package URL, CPE name, vendor:product@version, domain, indicator, words, or a file',
    )
    .option('--name <text>', 'shown in messages')
    .option('--webhook <url>', 'deliver to this URL, signed (Standard Webhooks); may be repeated', append, [])
    .option('--slack <url>', 'to a Slack webhook; may be repeated', append, [])
    .option('--teams <url>', 'to a Teams (Workflows) webhook; may be repeated', append, [])
    .option('--mail <address>', 'by mail; may be repeated', append, [])
    .option('--daily <HH:MM>', 'once a day at this time, in place of at once')
    .option('--time-zone <name>', 'of --daily and --quiet (default: that of this machine)')
    .option('--quiet <HH:MM-HH:MM>', 'not in these hours', parseHours)
    .addOption(
      new Option('--severity <severity>', 'only CVEs of at least this severity')
        .choices(SEVERITIES.map((name) => name.toLowerCase()))
        .argParser((text) => text.toUpperCase()),
    )
    .option('--kev', 'only known-exploited CVEs')
    .addOption(createAllOption())
    .addOption(createJsonOption())
    .action(async (things: string[], options: AddOptions, command: Command) => {
      const { addWatch } = await import('../watch/add-watch.ts');
      await addWatch(things, options, printOptionsOf(command));
    });
}

/** The command of an operation; one about a single watch takes its id. `toInput`: its input from the options; default: the same. */
function addOperation(
  watch: Command,
  id: WatchCommandId,
  name: string,
  description: string,
  options: readonly Option[] = [],
  toInput: (given: Record<string, unknown>) => Record<string, unknown> = (given) => given,
): void {
  const command = watch.command(name).description(description);
  const isAboutOne = id !== 'watch_list';
  if (isAboutOne) command.argument('<id>', 'id of the watch, as list shows it');
  for (const option of options) command.addOption(option);
  command
    .addOption(createAllOption())
    .addOption(createJsonOption())
    .action(async (...received: unknown[]) => {
      const { json: _, all: __, ...given } = command.opts();
      const input = { ...(isAboutOne && { id: received[0] }), ...toInput(given) };
      const { runAndPrintWatchOperation } = await import('../watch/run-watch-operation.ts');
      await runAndPrintWatchOperation(id, input, printOptionsOf(command));
    });
}

function append(text: string, before: string[]): string[] {
  return [...before, text];
}

function parseHours(text: string): { from: string; to: string } {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new InvalidArgumentError('Accepted: two times, as 22:00-07:00.');
  return { from, to };
}
