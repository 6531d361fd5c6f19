import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { addCatalogCommand } from './commands/catalog.ts';
import { addCheckCommand } from './commands/check.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addHistoryCommand } from './commands/history.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addLookupCommand } from './commands/lookup.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSyncCommand } from './commands/sync.ts';
import { addWatchCommand } from './commands/watch.ts';
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
  addHistoryCommand,
  addWatchCommand,
  addKeysCommand,
  addConfigCommand,
  addDoctorCommand,
  addCompletionCommand,
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
    const hint = await hintFor(error, program, argvBeforeDashes);
    if (hint?.replacesSuggestion === true && error instanceof Error)
      error.message = error.message.replace(/\s*\(Did you mean [^]*\)$/, '');
    const status = reportFailure(error, argvBeforeDashes.includes('--json'));
    if (hint !== null) printToStderr(hint.text);
    return status;
  }
}

interface Hint {
  readonly text: string;
  /** It says more than the similar name that the parser found. */
  readonly replacesSuggestion: boolean;
}

/** What to write instead; null: the error says it. */
async function hintFor(error: unknown, program: Command, argv: readonly string[]): Promise<Hint | null> {
  if (!(error instanceof CommanderError)) return null;
  const [word = ''] = argv;
  if (error.code === 'commander.excessArguments')
    return {
      text: `for its options: sextant ${word} --help; to look up anything: sextant lookup`,
      replacesSuggestion: false,
    };
  if (error.code !== 'commander.unknownCommand') return null;
  const { recognizeText, textKindPhrase } = await import('../analysis/recognize-text.ts');
  const { kind } = recognizeText(word);
  if (kind !== 'words')
    return { text: `that looks like ${textKindPhrase(kind)}: sextant lookup ${word}`, replacesSuggestion: true };
  if (program.options.some(({ long }) => long === `--${word}`))
    return { text: `it is an option: sextant --${word}`, replacesSuggestion: true };
  const matches = program.commands.map((command) => command.name()).filter((name) => name.split('-').includes(word));
  if (matches.length > 0) {
    const names = matches.slice(0, MAX_COMMANDS_IN_HINT).join(', ');
    return { text: `commands with that word: ${names}`, replacesSuggestion: true };
  }
  if (error.message.includes('Did you mean')) return null;
  return {
    text: `to look it up: sextant lookup ${word}; for all commands: sextant --help`,
    replacesSuggestion: false,
  };
}

/** The program with all commands, arguments and options of all operations. */
export async function createCompleteProgram(): Promise<Command> {
  const program = createProgram();
  const { OPERATION_TITLES } = await import('./operation-titles.computed.ts');
  for (const { id } of OPERATION_TITLES) await addCalledOperation(program, id);
  return program;
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
  addOperationCommand(program, operation, async (given, options) => {
    const { runAndPrint } = await import('./run-and-print.ts');
    await runAndPrint(operation, given, options);
  });
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
