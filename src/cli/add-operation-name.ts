import type { Command } from 'commander';
import type { OperationTitle } from './operation-titles.computed.ts';

/** `cve_lookup` is the command `cve-lookup`, its `cve_id` the argument `cve-id`. */
export function snakeToKebabCase(name: string): string {
  return name.replaceAll('_', '-');
}

/** Adds only the name and title of a command, for the list of all commands. */
export function addOperationName(parent: Command, { id, area, title, description }: OperationTitle): Command {
  return parent.command(snakeToKebabCase(id)).summary(title).description(description).helpGroup(`Questions (${area}):`);
}
