import { type Command, InvalidArgumentError } from 'commander';
import { jsonOption, wantsJson } from '../options.ts';

const MOST_DAYS = 3650;
const ORDER_ID = /^[\w.:/@+-]{1,128}$/;

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('Issue, list, renew and revoke API keys.').helpCommand(false);
  keys
    .command('issue')
    .description('Make a key and show it, this once: only its hash is kept.')
    .requiredOption('--order <id>', 'what the key is for: 1 to 128 letters, digits and . : / @ + - _', orderId)
    .option('--days <number>', `days until it expires, 1 to ${MOST_DAYS}`, days, 30)
    .addOption(jsonOption())
    .action(async ({ order, days }: { order: string; days: number }, command: Command) => {
      const { issue } = await import('../keys.ts');
      await issue({ orderId: order, days, json: wantsJson(command) });
    });
  keys
    .command('list')
    .description('Show all keys by their ids, newest first.')
    .addOption(jsonOption())
    .action(async (_, command: Command) => {
      const { list } = await import('../keys.ts');
      await list(wantsJson(command));
    });
  keys
    .command('renew')
    .description('Lengthen a key, from its expiry or from now, whichever is later.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .option('--days <number>', `days to add, 1 to ${MOST_DAYS}`, days, 30)
    .addOption(jsonOption())
    .action(async (id: string, { days }: { days: number }, command: Command) => {
      const { renew } = await import('../keys.ts');
      await renew({ id, days, json: wantsJson(command) });
    });
  keys
    .command('revoke')
    .description('End a key, for good: within 5 seconds nobody is let in with it.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .addOption(jsonOption())
    .action(async (id: string, _, command: Command) => {
      const { revoke } = await import('../keys.ts');
      await revoke(id, wantsJson(command));
    });
}

function orderId(text: string): string {
  if (!ORDER_ID.test(text)) throw new InvalidArgumentError('Accepted: 1 to 128 letters, digits and . : / @ + - _');
  return text;
}

function days(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > MOST_DAYS) {
    throw new InvalidArgumentError(`Accepted: a whole number, 1 to ${MOST_DAYS}.`);
  }
  return number;
}
