import { type Config, ConfigError, readConfig } from '../config.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../server/runner-deps.ts';
import { CliError } from '../exit-codes.ts';

/** The configuration, with settings that the command line gave; a wrong one ends the command as wrong usage, one line for each setting. */
export function loadConfig(overrides: Readonly<Record<string, string>> = {}): Config {
  try {
    return readConfig(CONFIGURABLE_SOURCE_IDS, undefined, overrides);
  } catch (error) {
    throw error instanceof ConfigError ? new CliError('usage', error.message) : error;
  }
}
