import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
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
import { EXIT_CODES } from '../exit-codes.ts';
import { createJsonOption } from './json-option.ts';
import { addOperationName, snakeToKebabCase } from './add-operation-name.ts';

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
    // --help and --version also end here.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_CODES.ok.status;
    const { reportFailure, printToStderr } = await import('./report-failure.ts');
    const status = reportFailure(error, argvBeforeDashes.includes('--json'));
    if (isUnknownCommand(error)) printToStderr(await unknownCommandHint(program, argvBeforeDashes[0] ?? ''));
    return status;
  }
}

/** A hint for a word that is no command: it may be an identifier, an option, or a part of command names; else, where all are listed. */
async function unknownCommandHint(program: Command, word: string): Promise<string> {
  const { detectIdentifierKind, IDENTIFIER_KIND_PHRASES } = await import('../analysis/identifier-kind.ts');
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
    // `reportFailure` prints it.
    .configureOutput({ outputError: () => {} })
    .configureHelp({ styleTitle: (title) => styleText('bold', title), sortSubcommands: false })
    .addHelpText('after', exitStatusHelp());
  program.commandsGroup('Service:');
  for (const add of SERVICE_COMMANDS) add(program);
  program.commandsGroup('Questions:');
  addLookupCommand(program);
  addCheckCommand(program);
  return program;
}

/** Adds the commands of operations: only the name and title, but for the one that is called. */
async function addOperationCommands(program: Command, argv: readonly string[]): Promise<void> {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const calledName = first === 'help' ? second : first;
  if (program.commands.some((command) => command.name() === calledName)) return;
  const { OPERATION_TITLES } = await import('./operation-titles.computed.ts');
  for (const title of OPERATION_TITLES) {
    if (snakeToKebabCase(title.id) === calledName) await addCalledOperation(program, title.id);
    else addOperationName(program, title);
  }
}

async function addCalledOperation(program: Command, id: string): Promise<void> {
  const [{ OPERATIONS }, { addOperationCommand }] = await Promise.all([
    import('../operations/list.ts'),
    import('./operation-command.ts'),
  ]);
  const operation = OPERATIONS.find((operation) => operation.id === id)!;
  addOperationCommand(program, operation, async (given, json) => {
    const { runAndPrint } = await import('./run-and-print.ts');
    await runAndPrint(operation, given, json);
  });
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
