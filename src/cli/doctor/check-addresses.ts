import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Config, withoutCredentials } from '../../config.ts';
import { FEEDS } from '../../feeds/list.ts';
import { type ConnectionPool, createConnectionPools } from '../../net/connection-pool.ts';
import { httpGet } from '../../net/http-get.ts';
import { netOptionsOf } from '../../server/runner-deps.ts';
import { LIVE_SOURCE_POLICIES } from '../../sources/registry.ts';
import { type DoctorResult, okResult, wrongResult } from './doctor-result.ts';

const RESPONSE_TIMEOUT_MS = 5000;

interface SourceAddresses {
  id: string;
  /** One of them is enough. */
  addresses: readonly string[];
  isConfigured: boolean;
}

/** The addresses that the operator set; the upstreams' and live sources' own only where `online`. */
export async function checkAddresses(config: Config, online: boolean): Promise<DoctorResult[]> {
  const places = [...feedAddresses(config), ...liveSourceAddresses(config)].filter(
    ({ isConfigured }) => isConfigured || online,
  );
  const poolFor = createConnectionPools(netOptionsOf(config));
  return Promise.all(places.map((place) => checkSource(place, poolFor(place.isConfigured))));
}

function feedAddresses({ feeds, sourceUrls }: Config): SourceAddresses[] {
  return FEEDS.map(({ id, folder, addresses }) => {
    const own = sourceUrls.get(id) ?? (feeds === 'upstream' ? null : new URL(`${folder}/`, feeds).href);
    return { id, addresses: own === null ? addresses : [own], isConfigured: own !== null };
  });
}

function liveSourceAddresses({ sourceUrls }: Config): SourceAddresses[] {
  return LIVE_SOURCE_POLICIES.flatMap(({ id, baseUrl }) => {
    const own = sourceUrls.get(id);
    const place = own ?? baseUrl;
    // Who answers on port 43 is not asked by HTTP.
    return place === null || place.startsWith('whois:')
      ? []
      : [{ id, addresses: [place], isConfigured: own !== undefined }];
  });
}

async function checkSource(
  { id, addresses, isConfigured }: SourceAddresses,
  pool: ConnectionPool,
): Promise<DoctorResult> {
  const check = `source ${id}`;
  const problems: string[] = [];
  for (const address of addresses) {
    const problem = address.startsWith('file:') ? folderProblem(address) : await serverProblem(address, pool);
    if (problem === null)
      return okResult(check, `${displayAddress(address)} ${address.startsWith('file:') ? 'exists' : 'answers'}`);
    problems.push(`${displayAddress(address)}: ${problem}`);
  }
  const hint = isConfigured
    ? `see SEXTANT_SOURCE_${id.toUpperCase()}_URL and SEXTANT_FEEDS`
    : 'is this machine allowed to go out?';
  return wrongResult(check, problems.join('; '), hint);
}

function folderProblem(address: string): string | null {
  const stats = statSync(fileURLToPath(address), { throwIfNoEntry: false });
  if (stats === undefined) return 'there is no such folder';
  return stats.isDirectory() ? null : 'is not a folder';
}

/** Any answer shows that somebody is there; only a fault of the server is none. */
async function serverProblem(address: string, pool: ConnectionPool): Promise<string | null> {
  try {
    const bounds = { headersMs: RESPONSE_TIMEOUT_MS, totalMs: RESPONSE_TIMEOUT_MS };
    const answer = await httpGet(address, { bounds, pool });
    answer.discard();
    return answer.status < 500 ? null : `answers with status ${answer.status}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The path of a file URL; other URLs without credentials. */
function displayAddress(address: string): string {
  return address.startsWith('file:') ? fileURLToPath(address) : withoutCredentials(address);
}
