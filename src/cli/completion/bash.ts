import { type CommandAtPath, type CommandDescription, listCommands, type ValueDescription } from '../command-tree.ts';

/** For bash 3.2 and newer, without the package bash-completion. */
export function renderBashCompletion(program: CommandDescription): string {
  const commands = listCommands(program);
  return `# bash completion of sextant
_sextant() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' options='' values='' files='' index
  # bash takes --option=value as three words.
  if [[ $current == '=' ]]; then current=''
  elif [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command \${COMP_WORDS[index]}" in
      ${commands.flatMap(({ path }) => (path === '' ? [] : [quote(keyOf(path))])).join(' | ')})
        command="$command \${COMP_WORDS[index]}"; command=\${command# } ;;
    esac
  done
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
    *)
      case $command in
${commands.map(commandCase).join('\n')}
      esac ;;
  esac
  if [[ $current == -* ]]; then values=$options; files=''; fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
  if [[ -n $files ]]; then
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$current"))
    type compopt >/dev/null 2>&1 && compopt -o filenames
  fi
}
complete -F _sextant sextant
`;
}

/** What \`$command $word\` is before the last word of the path is part of the command. */
function keyOf(path: string): string {
  return path.includes(' ') ? path : ` ${path}`;
}

/** One case for the options of a command with the same values. */
function valueCases({ path, command }: CommandAtPath): string[] {
  const byValue = Map.groupBy(
    command.options.filter(({ value }) => value !== null),
    ({ value }) => assignments(value!),
  );
  return [...byValue].map(([assigned, options]) => {
    const patterns = options.flatMap(({ names }) => names).map((name) => quote(`${path} ${name}`));
    return `    ${patterns.join(' | ')}) ${assigned}${assigned === '' ? '' : ' '};;`;
  });
}

function commandCase({ path, command }: CommandAtPath): string {
  const options = command.options.map(({ names }) => names.at(-1));
  const [argument] = command.arguments;
  const names = command.commands.map(({ name }) => name);
  const values = names.length > 0 ? `values=${quote(names.join(' '))}` : argument ? assignments(argument) : '';
  return `        ${quote(path)}) options=${quote(options.join(' '))} ${values}${values === '' ? '' : ' '};;`;
}

function assignments({ choices, isPath }: ValueDescription): string {
  if (choices.length > 0) return `values=${quote(choices.join(' '))}`;
  return isPath ? 'files=1' : '';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
