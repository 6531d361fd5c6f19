import { type Config, ConfigError, readConfig } from '../config.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../server/runner-deps.ts';
import { CliError } from '../exit-codes.ts';

/** The configuration with overrides from the command line. Throws `CliError` (usage) with a line for each invalid setting. */
export function loadConfig(overrides: Readonly<Record<string, string>> = {}): Config {
  try {
    return readConfig(CONFIGURABLE_SOURCE_IDS, undefined, overrides);
  } catch (error) {
    throw error instanceof ConfigError ? new CliError('usage', error.message) : error;
  }
}
