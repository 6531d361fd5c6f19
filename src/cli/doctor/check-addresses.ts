import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { withoutSecretParts } from '../../settings.ts';
import { FEEDS } from '../../feeds/list.ts';
import { type ConnectionPool, createConnectionPools } from '../../net/connection-pool.ts';
import { httpGet } from '../../net/http-get.ts';
import { netOptionsOf } from '../../server/runner-deps.ts';
import { LIVE_SOURCE_POLICIES } from '../../sources/registry.ts';
import { type DoctorResult, okResult, wrongResult } from './doctor-result.ts';

const RESPONSE_TIMEOUT_MS = 5000;

interface SourceAddresses {
  id: string;
  /** It is enough that one of them answers. */
  addresses: readonly string[];
  isConfigured: boolean;
}

/** Checks the addresses that the operator configured; with `online` also the default addresses of feeds and live sources. */
export async function checkAddresses(config: Config, online: boolean): Promise<DoctorResult[]> {
  const targets = [...feedAddresses(config), ...liveSourceAddresses(config)].filter(
    ({ isConfigured }) => isConfigured || online,
  );
  const poolFor = createConnectionPools(netOptionsOf(config));
  return Promise.all(targets.map((target) => checkSource(target, poolFor(target.isConfigured))));
}

function feedAddresses({ feeds, sourceUrls }: Config): SourceAddresses[] {
  return FEEDS.map(({ id, folder, addresses }) => {
    const configuredAddress = sourceUrls.get(id) ?? (feeds === 'upstream' ? null : new URL(`${folder}/`, feeds).href);
    return {
      id,
      addresses: configuredAddress === null ? addresses : [configuredAddress],
      isConfigured: configuredAddress !== null,
    };
  });
}

function liveSourceAddresses({ sourceUrls }: Config): SourceAddresses[] {
  return LIVE_SOURCE_POLICIES.flatMap(({ id, baseUrl }) => {
    const configuredAddress = sourceUrls.get(id);
    const address = configuredAddress ?? baseUrl;
    // WHOIS servers do not speak HTTP.
    return address === null || address.startsWith('whois:')
      ? []
      : [{ id, addresses: [address], isConfigured: configuredAddress !== undefined }];
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
    : 'does this machine have access to the internet?';
  return wrongResult(check, problems.join('; '), hint);
}

function folderProblem(address: string): string | null {
  const stats = statSync(fileURLToPath(address), { throwIfNoEntry: false });
  if (stats === undefined) return 'there is no such folder';
  return stats.isDirectory() ? null : 'is not a folder';
}

/** Null if the server answers with any status below 500. */
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
  return address.startsWith('file:') ? fileURLToPath(address) : withoutSecretParts(address);
}
