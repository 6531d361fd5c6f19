import type { ArgumentDescription, CommandDescription, OptionDescription, ValueDescription } from '../command-tree.ts';

/** To be sourced after `compinit`, or as the file `_sextant` in a folder of `$fpath`. */
export function renderZshCompletion(program: CommandDescription): string {
  return `#compdef sextant
${renderFunction(program, '_sextant')}
if [[ $funcstack[1] == _sextant ]]; then _sextant "$@"; else compdef _sextant sextant; fi
`;
}

/** The function of a command that has others below it; first those of them that have some, too. */
function renderFunction({ options, commands }: CommandDescription, name: string): string {
  const groups = commands.filter((command) => command.commands.length > 0);
  return `${groups.map((command) => renderFunction(command, `${name}_${command.name}`)).join('')}
${name}() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C ${[...options.map(optionSpec), `'1:command:->command'`, `'*::argument:->argument'`].join(' \\\n    ')}
  case $state in
    command)
      local -a commands=(
${commands.map((command) => `        ${quote(`${command.name}:${command.summary}`)}`).join('\n')}
      )
      _describe command commands ;;
    argument)
      case $line[1] in
${commands.map((command) => `        ${command.name}) ${renderCall(command, name)} ;;`).join('\n')}
      esac ;;
  esac
}
`;
}

function renderCall(command: CommandDescription, parent: string): string {
  if (command.commands.length > 0) return `${parent}_${command.name}`;
  const specs = [...command.options.map(optionSpec), ...command.arguments.map(argumentSpec)];
  return `_arguments ${specs.join(' \\\n          ')}`;
}

function optionSpec({ names, description, value }: OptionDescription): string {
  const text = `[${escape(description, '[]')}]`;
  const rest = quote(value === null ? text : `=${text}${valueSpec(value)}`);
  return names.length === 1 ? `${names[0]}${rest}` : `${quote(`(${names.join(' ')})`)}{${names.join(',')}}${rest}`;
}

function argumentSpec(argument: ArgumentDescription): string {
  return quote(`${argument.variadic ? '*' : argument.required ? '' : ':'}${valueSpec(argument)}`);
}

/** A single blank as the action: only the name of the value is shown. */
function valueSpec({ name, choices, isPath }: ValueDescription): string {
  const action = choices.length > 0 ? `(${choices.join(' ')})` : isPath ? '_files' : ' ';
  return `:${escape(choices.length > 0 ? 'value' : name, ':')}:${action}`;
}

function escape(text: string, characters: string): string {
  return Array.from(text, (character) => (`\\${characters}`.includes(character) ? `\\${character}` : character)).join(
    '',
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
