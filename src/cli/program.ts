import { styleText } from 'node:util';
import { Command } from 'commander';
import { detectIdentifierKind, IDENTIFIER_KIND_PHRASES } from '../analysis/identifier-kind.ts';
import { VERSION } from '../version.ts';
import { addCatalogCommand } from './commands/catalog.ts';
import { addCheckCommand } from './commands/check.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addLookupCommand } from './commands/lookup.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSyncCommand } from './commands/sync.ts';
import { reportFailure, printToStderr } from './report-failure.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { createJsonOption } from './json-option.ts';

/** Most commands that a hint names. */
const MAX_COMMANDS_IN_HINT = 8;

const SERVICE_COMMANDS = [
  addServeCommand,
  addMcpCommand,
  addSyncCommand,
  addCatalogCommand,
  addKeysCommand,
  addConfigCommand,
  addDoctorCommand,
];

/** Runs one command and returns the exit status. Never throws. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  process.stdout.on('error', exitOnClosedPipe);
  const argvBeforeDashes = argv.filter((_, index) => !argv.slice(0, index + 1).includes('--'));
  const program = createProgram();
  try {
    await addOperationCommands(program, argvBeforeDashes);
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? EXIT_CODES.ok.status);
  } catch (error) {
    const status = reportFailure(error, argvBeforeDashes.includes('--json'));
    if (isUnknownCommand(error)) printToStderr(unknownCommandHint(program, argvBeforeDashes[0] ?? ''));
    return status;
  }
}

/** A hint for a word that is no command: it may be an identifier, an option, or a part of command names; else, where all are listed. */
function unknownCommandHint(program: Command, word: string): string {
  const kind = detectIdentifierKind(word);
  if (kind !== null) return `that looks like ${IDENTIFIER_KIND_PHRASES[kind]}: sextant lookup takes it`;
  if (program.options.some(({ long }) => long === `--${word}`)) return `it is an option: sextant --${word}`;
  const matches = program.commands.map((command) => command.name()).filter((name) => name.split('-').includes(word));
  return matches.length === 0
    ? 'sextant --help lists all'
    : `commands with that word: ${matches.slice(0, MAX_COMMANDS_IN_HINT).join(', ')}`;
}

function createProgram(): Command {
  const program = new Command('sextant')
    .description('Security intelligence that names its sources, its age and its gaps.')
    .version(VERSION, '-V, --version', 'the version of this program')
    .helpOption('-h, --help', 'this help; also after a command')
    .helpCommand('help [command]', 'the help of a command')
    .addOption(createJsonOption())
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text) => printToStderr(text.replace(/^error: /, '').trim()) })
    .configureHelp({ styleTitle: (title) => styleText('bold', title), sortSubcommands: false })
    .addHelpText('after', exitStatusHelp());
  program.commandsGroup('Service:');
  for (const add of SERVICE_COMMANDS) add(program);
  program.commandsGroup('Questions:');
  addLookupCommand(program);
  addCheckCommand(program);
  return program;
}

/** Adds the commands of operations, unless another command is called: loading all operations is slow. */
async function addOperationCommands(program: Command, argv: readonly string[]): Promise<void> {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const commandName = first === 'help' ? second : first;
  if (program.commands.some((command) => command.name() === commandName)) return;
  const [{ OPERATIONS }, { needsCaller }, { addOperationName, addOperationCommand }, { snakeToKebabCase }] =
    await Promise.all([
      import('../operations/list.ts'),
      import('../engine/operation.ts'),
      import('./operation-command.ts'),
      import('./operation-arguments.ts'),
    ]);
  for (const operation of OPERATIONS.filter((operation) => !needsCaller(operation))) {
    if (snakeToKebabCase(operation.id) !== commandName) addOperationName(program, operation);
    else {
      addOperationCommand(program, operation, async (given, json) => {
        const { runAndPrint } = await import('./run-and-print.ts');
        await runAndPrint(operation, given, json);
      });
    }
  }
}

function isUnknownCommand(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'commander.unknownCommand';
}

function exitStatusHelp(): string {
  const rows = Object.values(EXIT_CODES).map(({ status, means }) => `  ${String(status).padEnd(4)}  ${means}`);
  return `\n${styleText('bold', 'Exit status:')}\n${rows.join('\n')}\n\nSettings are environment variables: see sextant config.`;
}

/** The reader closed the pipe (`| head`): exit with success. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT_CODES.ok.status);
  throw error;
}
