import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Command } from 'commander';
import { snakeToKebabCase } from '../../src/cli/add-operation-name.ts';
import { addOperationCommand } from '../../src/cli/operation-command.ts';
import {
  toProgramArguments,
  toShellCommand,
  commandInputs,
  positionalFields,
} from '../../src/cli/operation-arguments.ts';
import { needsCaller } from '../../src/engine/operation.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';
import { convertTextInput } from '../../src/engine/input/text-input.ts';

const SERVICE_COMMANDS = [
  'serve',
  'sync',
  'catalog',
  'config',
  'doctor',
  'lookup',
  'help',
  'mcp',
  'keys',
  'check',
  'watch',
];
const OWN_OPTIONS = ['json', 'help', 'all'];

describe('every operation as a command', () => {
  // What is about its caller is no command of its own.
  for (const operation of OPERATIONS.filter((one) => !needsCaller(one))) {
    it(`${operation.id}: its examples, written as command lines, are its examples`, async () => {
      for (const { input } of operation.examples) {
        let received: Record<string, unknown> | null = null;
        const program = new Command().exitOverride().enablePositionalOptions();
        addOperationCommand(program, operation, async (given) => {
          received = given;
        });
        await program.parseAsync(toProgramArguments(operation, input), { from: 'user' });
        assert.ok(received !== null);
        assert.deepEqual(
          parseInput(operation, convertTextInput(operation.input, received)),
          parseInput(operation, input),
        );
      }
    });

    it(`${operation.id}: is in nobody's way`, () => {
      assert.ok(!SERVICE_COMMANDS.includes(snakeToKebabCase(operation.id)));
      const positionals = positionalFields(operation);
      const options = commandInputs(operation).filter(({ field }) => !positionals.includes(field));
      for (const { field } of options) assert.ok(!OWN_OPTIONS.includes(snakeToKebabCase(field)), field);
    });
  }

  it('is quoted for a shell', () => {
    const search = OPERATIONS.find(({ id }) => id === 'cve_search')!;
    assert.equal(
      toShellCommand(search, { product: "it's $(x)", limit: 5, kev: false }),
      `sextant cve-search --product 'it'\\''s $(x)' --limit 5`,
    );
  });
});
