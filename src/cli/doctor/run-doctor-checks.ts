import { type Config, ConfigError, readConfig } from '../../config.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../../server/runner-deps.ts';
import { checkAddresses } from './check-addresses.ts';
import { checkCatalog } from './check-catalog.ts';
import { type DoctorResult, okResult, wrongResult } from './doctor-result.ts';
import { checkDataFolder, checkFreeSpace } from './check-data-folder.ts';
import { checkPort } from './check-port.ts';

/** Runs all checks. Changes nothing. Only configured addresses are contacted; with `online` also the default ones. */
export async function runDoctorChecks(online: boolean): Promise<DoctorResult[]> {
  const node = okResult('Node', process.version);
  let config: Config;
  try {
    config = readConfig(CONFIGURABLE_SOURCE_IDS);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [node, ...error.message.split('\n').map((problem) => wrongResult('settings', problem))];
  }
  const [space, catalog, addresses, port] = await Promise.all([
    checkFreeSpace(config.dataDir),
    checkCatalog(config),
    checkAddresses(config, online),
    checkPort(config.host, config.port),
  ]);
  const settings = okResult('settings', 'all can be read');
  return [node, settings, ...checkDataFolder(config.dataDir), space, ...catalog, ...addresses, port];
}
