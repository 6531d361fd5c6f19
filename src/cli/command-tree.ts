import type { Argument, Command, Option } from 'commander';

/** What a command takes, as plain data: completion and the manual page are made from it. */
export interface CommandDescription {
  name: string;
  /** One line. */
  summary: string;
  description: string;
  /** Title of the group in the help of its parent. */
  group: string;
  arguments: ArgumentDescription[];
  options: OptionDescription[];
  commands: CommandDescription[];
}

export interface ArgumentDescription extends ValueDescription {
  required: boolean;
  variadic: boolean;
}

export interface OptionDescription {
  /** `-V`, `--version`: those that there are. */
  names: string[];
  description: string;
  required: boolean;
  /** Null: it takes no value. */
  value: ValueDescription | null;
}

export interface ValueDescription {
  /** As the help shows it, without brackets. */
  name: string;
  description: string;
  /** Empty: any value. */
  choices: readonly string[];
  isPath: boolean;
}

/** Names of values that are paths. */
const PATH_NAMES: ReadonlySet<string> = new Set(['file', 'folder', 'path', 'paths', 'pem', 'report']);

/** Describes a command and those below it, without what is hidden. */
export function describeCommand(command: Command): CommandDescription {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map(describeCommand);
  const names = commands.map(({ name }) => name);
  for (const argument of commands.find(({ name }) => name === 'help')?.arguments ?? []) argument.choices = names;
  return {
    name: command.name(),
    summary: command.summary() || firstSentence(command.description()),
    description: command.description(),
    group: command.helpGroup() ?? '',
    arguments: command.registeredArguments.map(describeArgument),
    options: help.visibleOptions(command).map(describeOption),
    commands,
  };
}

/** A command with the names that lead to it, without that of the program: `catalog info`; empty for the program itself. */
export interface CommandAtPath {
  path: string;
  command: CommandDescription;
}

/** The command and all below it. */
export function listCommands(command: CommandDescription, path = ''): CommandAtPath[] {
  const below = command.commands.flatMap((child) => listCommands(child, `${path} ${child.name}`.trim()));
  return [{ path, command }, ...below];
}

function describeArgument(argument: Argument): ArgumentDescription {
  const { required, variadic, description, argChoices } = argument;
  return { ...describeValue(argument.name(), description, argChoices), required, variadic };
}

function describeOption({ short, long, flags, description, mandatory, argChoices }: Option): OptionDescription {
  const placeholder = /[<[](.+?)(?:\.{3})?[>\]]$/.exec(flags)?.[1];
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    required: mandatory,
    value: placeholder === undefined ? null : describeValue(placeholder, description, argChoices),
  };
}

/** Options of operations name their choices in the place of the value. */
function describeValue(name: string, description: string, choices: readonly string[] | undefined): ValueDescription {
  return {
    name,
    description,
    choices: choices ?? (name.includes('|') ? name.split('|') : []),
    isPath: PATH_NAMES.has(name),
  };
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/[.:]$/, '') ?? text;
}
