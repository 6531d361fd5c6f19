import { type CommandAtPath, type CommandDescription, listCommands, type ValueDescription } from '../command-tree.ts';

/** To be sourced, or as `sextant.fish` in a folder of `$fish_complete_path`. */
export function renderFishCompletion(program: CommandDescription): string {
  return `# fish completion of sextant
complete -c sextant -f
${listCommands(program).flatMap(completionsOf).join('\n')}
`;
}

function completionsOf({ path, command }: CommandAtPath): string[] {
  const complete = (words: string): string =>
    `complete -c sextant -n ${quote(conditionOf({ path, command }))} ${words}`;
  const [argument] = command.arguments;
  return [
    ...command.commands.map(({ name, summary }) => complete(`-a ${name} -d ${quote(summary)}`)),
    ...command.options.map(({ names, description, value }) =>
      complete(
        `${names.map(nameWords).join(' ')} -d ${quote(description)}${value === null ? '' : ` ${valueWords(value)}`}`,
      ),
    ),
    ...(argument === undefined ? [] : argumentWords(argument).map(complete)),
  ];
}

/** True where the words of the path, and none of those below, are on the line. */
function conditionOf({ path, command }: CommandAtPath): string {
  const names = command.commands.map(({ name }) => name);
  const conditions =
    path === '' ? ['__fish_use_subcommand'] : path.split(' ').map((name) => `__fish_seen_subcommand_from ${name}`);
  if (path !== '' && names.length > 0) conditions.push(`not __fish_seen_subcommand_from ${names.join(' ')}`);
  return conditions.join('; and ');
}

function nameWords(name: string): string {
  return name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
}

function valueWords({ choices, isPath }: ValueDescription): string {
  return choices.length > 0 ? `-x -a ${quote(choices.join(' '))}` : isPath ? '-r -F' : '-x';
}

function argumentWords({ choices, isPath }: ValueDescription): string[] {
  if (choices.length > 0) return [`-a ${quote(choices.join(' '))}`];
  return isPath ? ['-F'] : [];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
