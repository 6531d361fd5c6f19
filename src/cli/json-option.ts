import { type Command, Option } from 'commander';

/** Taken before and after a command's name. */
export function createJsonOption(): Option {
  return new Option('--json', 'one JSON document on standard output, nothing else');
}

export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals().json === true;
}
