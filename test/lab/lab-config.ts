import { type Config, readConfig } from '../../src/config.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../../src/server/runner-deps.ts';
import type { Lab } from './lab.ts';

const KEYS = ['SEXTANT_ABUSECH_KEY', 'SEXTANT_ABUSEIPDB_KEY', 'SEXTANT_SHODAN_KEY', 'SEXTANT_GITHUB_TOKEN'];

/** The configuration of a service whose sources are those of the lab: without quota, without sync. */
export function labConfig(lab: Pick<Lab, 'sourceUrls'>, { dataDir, port }: { dataDir: string; port: string }): Config {
  return readConfig(CONFIGURABLE_SOURCE_IDS, {
    SEXTANT_DATA_DIR: dataDir,
    SEXTANT_PORT: port,
    SEXTANT_SYNC: 'off',
    SEXTANT_LOG_LEVEL: 'warn',
    SEXTANT_QUOTA_KEYLESS: '0',
    ...Object.fromEntries(KEYS.map((variable) => [variable, 'lab'])),
    ...Object.fromEntries(
      [...lab.sourceUrls]
        .filter(([id]) => CONFIGURABLE_SOURCE_IDS.includes(id))
        .map(([id, url]) => [`SEXTANT_SOURCE_${id.toUpperCase()}_URL`, url]),
    ),
  });
}
