import { EXIT_CODES } from '../../src/exit-codes.ts';
import { SETTINGS } from '../../src/settings.ts';
import {
  type ArgumentDescription,
  type CommandDescription,
  listCommands,
  type OptionDescription,
} from '../../src/cli/command-tree.ts';
import { VERSION } from '../../src/version.ts';

/** The manual page of the program in the macros of man(7). It has no date, because the same source makes the same page. */
export function renderManualPage(program: CommandDescription): string {
  return `${[
    `.TH SEXTANT 1 "" "sextant ${VERSION}" "User Commands"`,
    '.SH NAME',
    `sextant \\- ${escape(withoutStop(program.description))}`,
    '.SH SYNOPSIS',
    '.B sextant',
    '.I command',
    '[\\fIargument\\fR ...] [\\fIoption\\fR ...]',
    '.SH DESCRIPTION',
    escape(
      'Sextant answers questions about CVEs, domains, addresses, e-mail, threat indicators, attack and defense catalogs, detection ' +
        'rules and code. Knowledge that it syncs is stored in a data folder; live sources are asked when an answer needs them. ' +
        'Every answer names its sources, their age, and what is missing.',
    ),
    '.PP',
    'Each command has its own help, with examples:',
    '.BR "sextant help" \\ \\fIcommand\\fR.',
    '.SH OPTIONS',
    ...program.options.flatMap(optionLines),
    ...Map.groupBy(program.commands, ({ group }) => group)
      .entries()
      .flatMap(([group, commands]) => [`.SH ${headingOf(group)}`, ...commands.flatMap(commandLines)]),
    '.SH EXIT STATUS',
    ...Object.values(EXIT_CODES).flatMap(({ status, means }) => ['.TP', `.B ${status}`, escape(means)]),
    '.SH ENVIRONMENT',
    '.TP',
    '.B SEXTANT_SOURCE_<ID>_URL',
    'Address of one source.',
    ...Object.values(SETTINGS).flatMap((setting) => [
      '.TP',
      `.B ${setting.variable}`,
      escape(`${setting.means}${defaultText(setting)}`),
    ]),
    '.SH EXAMPLES',
    ...example('sextant lookup CVE-2021-44228', 'Look up a CVE.'),
    ...example('sextant check .', 'Check the packages and the code of a project.'),
    ...example('sextant serve', 'Run the service: web pages, REST and MCP.'),
  ].join('\n')}\n`;
}

/** Not the data folder: it depends on where the program is. */
function defaultText({ variable, default: value }: { variable: string; default: string | null }): string {
  return value === null || value === '' || variable === SETTINGS.dataDir.variable ? '' : ` Default: ${value}`;
}

function commandLines(command: CommandDescription): string[] {
  return listCommands(command, command.name)
    .filter(({ command: each }) => each.commands.length === 0)
    .flatMap(({ path, command: each }) => [
      `.SS ${escape([`sextant ${path}`, ...each.arguments.map(argumentText), ...each.options.flatMap(requiredText)].join(' '))}`,
      escape(each.description),
      ...each.arguments.filter(({ description }) => description !== '').flatMap(argumentLines),
      ...each.options
        .filter(({ names }) => !names.includes('--help') && !names.includes('--json'))
        .flatMap(optionLines),
    ]);
}

function argumentText({ name, required, variadic }: ArgumentDescription): string {
  const text = `${name}${variadic ? ' ...' : ''}`;
  return required ? `<${text}>` : `[${text}]`;
}

function requiredText({ names, required, value }: OptionDescription): string[] {
  return required ? [`${names.at(-1)} <${value?.name}>`] : [];
}

function argumentLines({ name, description }: ArgumentDescription): string[] {
  return ['.TP', `.I ${escape(name)}`, escape(description)];
}

function optionLines({ names, description, value }: OptionDescription): string[] {
  const flags = names.map((name) => `\\fB${escape(name)}\\fR`).join(', ');
  return ['.TP', value === null ? flags : `${flags} \\fI${escape(value.name)}\\fR`, escape(description) || '\\&'];
}

function example(command: string, title: string): string[] {
  return ['.TP', `.B ${escape(command)}`, title];
}

/** `Questions (cve):` is the heading QUESTIONS (CVE); the command of no group is `help`. */
function headingOf(group: string): string {
  return group === '' ? 'HELP' : group.replace(/:$/, '').toUpperCase();
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

/** One line of text, without anything that the formatter interprets. */
function escape(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
