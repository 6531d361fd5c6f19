import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { FEEDS } from '../../feeds/list.ts';
import { type Dispatcher, dispatchers } from '../../net/dispatcher.ts';
import { httpGet } from '../../net/http.ts';
import { netOptionsOf } from '../../server/services.ts';
import { LIVE_SOURCES } from '../../sources/registry.ts';
import { type Finding, ok, wrong } from './finding.ts';

const ANSWER_WITHIN_MS = 5000;

interface Place {
  id: string;
  /** One of them is enough. */
  addresses: readonly string[];
  configured: boolean;
}

/** The addresses that the operator set; the upstreams' and live sources' own only where `online`. */
export async function checkAddresses(config: Config, online: boolean): Promise<Finding[]> {
  const places = [...feedPlaces(config), ...livePlaces(config)].filter(({ configured }) => configured || online);
  const dispatcherFor = dispatchers(netOptionsOf(config));
  return Promise.all(places.map((place) => checkPlace(place, dispatcherFor(place.configured))));
}

function feedPlaces({ feeds, sourceUrls }: Config): Place[] {
  return FEEDS.map(({ id, folder, addresses }) => {
    const own = sourceUrls.get(id) ?? (feeds === 'upstream' ? null : new URL(`${folder}/`, feeds).href);
    return { id, addresses: own === null ? addresses : [own], configured: own !== null };
  });
}

function livePlaces({ sourceUrls }: Config): Place[] {
  return LIVE_SOURCES.flatMap(({ id, address }) => {
    const own = sourceUrls.get(id);
    const place = own ?? address;
    // Who answers on port 43 is not asked by HTTP.
    return place === null || place.startsWith('whois:')
      ? []
      : [{ id, addresses: [place], configured: own !== undefined }];
  });
}

async function checkPlace({ id, addresses, configured }: Place, dispatcher: Dispatcher): Promise<Finding> {
  const check = `source ${id}`;
  const problems: string[] = [];
  for (const address of addresses) {
    const problem = address.startsWith('file:') ? problemOfFolder(address) : await problemOfServer(address, dispatcher);
    if (problem === null) return ok(check, `${shown(address)} ${address.startsWith('file:') ? 'exists' : 'answers'}`);
    problems.push(`${shown(address)}: ${problem}`);
  }
  const hint = configured
    ? `see SEXTANT_SOURCE_${id.toUpperCase()}_URL and SEXTANT_FEEDS`
    : 'is this machine allowed to go out?';
  return wrong(check, problems.join('; '), hint);
}

function problemOfFolder(address: string): string | null {
  const stats = statSync(fileURLToPath(address), { throwIfNoEntry: false });
  if (stats === undefined) return 'there is no such folder';
  return stats.isDirectory() ? null : 'is not a folder';
}

/** Any answer shows that somebody is there; only a fault of the server is none. */
async function problemOfServer(address: string, dispatcher: Dispatcher): Promise<string | null> {
  try {
    const bounds = { headersMs: ANSWER_WITHIN_MS, totalMs: ANSWER_WITHIN_MS };
    const answer = await httpGet(address, { bounds, dispatcher });
    answer.discard();
    return answer.status < 500 ? null : `answers with status ${answer.status}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Without a login. */
function shown(address: string): string {
  const url = new URL(address);
  if (url.protocol === 'file:') return fileURLToPath(url);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
