import { type Command, Option } from 'commander';

/** `--json`, accepted before and after the command name. */
export function createJsonOption(): Option {
  return new Option('--json', 'print one JSON document and nothing else');
}

/** Whether `--json` was given, at either place. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals().json === true;
}
