import type { Command } from 'commander';
import { createJsonOption, wantsJson } from '../json-option.ts';

export function addLookupCommand(program: Command): void {
  program
    .command('lookup')
    .description('Look up an identifier of any kind: a CVE or CWE id, a CVSS vector, ...')
    .argument('<identifier>', 'what to look up')
    .addOption(createJsonOption())
    .action(async (text: string, _, command: Command) => {
      const [{ runAndPrint }, { operationForIdentifier }] = await Promise.all([
        import('../run-and-print.ts'),
        import('../operation-for-identifier.ts'),
      ]);
      const { operation, field } = operationForIdentifier(text);
      await runAndPrint(operation, { [field]: text.trim() }, wantsJson(command));
    });
}
