import { type Command, InvalidArgumentError } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

const MAX_DAYS = 3650;
const ORDER_ID = /^[\w.:/@+-]{1,128}$/;

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('Issue, list, renew and revoke API keys.').helpCommand(false);
  keys
    .command('issue')
    .description('Create a key and show it. It cannot be shown again: only its hash is stored.')
    .requiredOption('--order <id>', 'what the key is for: 1 to 128 letters, digits and . : / @ + - _', parseOrderId)
    .option('--days <number>', `days until it expires, 1 to ${MAX_DAYS}`, parseDays, 30)
    .addOption(createJsonOption())
    .action(async ({ order, days }: { order: string; days: number }, command: Command) => {
      const { issueAndPrintKey } = await import('../manage-keys.ts');
      await issueAndPrintKey({ orderId: order, days, json: wantsJson(command) });
    });
  keys
    .command('list')
    .description('Show all keys by their ids, newest first.')
    .addOption(createJsonOption())
    .action(async (_, command: Command) => {
      const { printKeys } = await import('../manage-keys.ts');
      await printKeys(wantsJson(command));
    });
  keys
    .command('renew')
    .description('Extend a key, from its expiry or from now, whichever is later.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .option('--days <number>', `days to add, 1 to ${MAX_DAYS}`, parseDays, 30)
    .addOption(createJsonOption())
    .action(async (id: string, { days }: { days: number }, command: Command) => {
      const { renewAndPrintKey } = await import('../manage-keys.ts');
      await renewAndPrintKey({ id, days, json: wantsJson(command) });
    });
  keys
    .command('revoke')
    .description('Revoke a key permanently: requests with it are rejected within 5 seconds.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .addOption(createJsonOption())
    .action(async (id: string, _, command: Command) => {
      const { revokeAndPrintKey } = await import('../manage-keys.ts');
      await revokeAndPrintKey(id, wantsJson(command));
    });
}

function parseOrderId(text: string): string {
  if (!ORDER_ID.test(text)) throw new InvalidArgumentError('Accepted: 1 to 128 letters, digits and . : / @ + - _');
  return text;
}

function parseDays(text: string): number {
  const dayCount = Number(text);
  if (!/^\d+$/.test(text) || dayCount < 1 || dayCount > MAX_DAYS) {
    throw new InvalidArgumentError(`Accepted: a whole number, 1 to ${MAX_DAYS}.`);
  }
  return dayCount;
}
