import { z } from 'zod';
import { FeedFormatError } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import type { Upstream } from '../upstream.ts';

const REPOSITORY = 'center-for-threat-informed-defense/mappings-explorer';
const LISTING = `https://api.github.com/repos/${REPOSITORY}/contents/mappings/kev`;
const FILES = `https://raw.githubusercontent.com/${REPOSITORY}/main/`;
/** The release that mirrors hold: their folders cannot be listed. */
const MIRRORED = { attack: 'attack-16.1', kev: 'kev-07.28.2025' };

const Listing = z.array(z.object({ name: z.string().max(100), type: z.string() }));

/** Paths of the newest mappings of known-exploited CVEs to ATT&CK, Enterprise and Mobile, each ending with `.json`. */
export async function findKevMappings(upstream: Upstream): Promise<{ enterprise: string; mobile: string }> {
  if (upstream.layout !== 'origin') return pathsOf('', MIRRORED.attack, MIRRORED.kev);
  const attack = newestFolder(await listFolders(upstream, LISTING), /^attack-[\d.]+$/, (name) => name);
  const kev = newestFolder(await listFolders(upstream, `${LISTING}/${attack}`), /^kev-\d\d\.\d\d\.\d{4}$/, yearFirst);
  return pathsOf(FILES, attack, kev);
}

function pathsOf(base: string, attack: string, kev: string): { enterprise: string; mobile: string } {
  const path = (domain: string) => `${base}mappings/kev/${attack}/${kev}/${domain}/${kev}_${attack}-${domain}.json`;
  return { enterprise: path('enterprise'), mobile: path('mobile') };
}

async function listFolders(upstream: Upstream, address: string): Promise<string[]> {
  const listing = Listing.safeParse((await upstream.readJson(address))?.body);
  if (!listing.success) throw new FeedFormatError(`not a folder of a GitHub repository: ${firstIssue(listing.error)}`);
  return listing.data.filter(({ type }) => type === 'dir').map(({ name }) => name);
}

function newestFolder(names: readonly string[], pattern: RegExp, sortKey: (name: string) => string): string {
  const order = new Intl.Collator('en', { numeric: true });
  const newest = names
    .filter((name) => pattern.test(name))
    .toSorted((a, b) => order.compare(sortKey(a), sortKey(b)))
    .at(-1);
  if (newest === undefined) throw new FeedFormatError('no release of the mappings in its folder');
  return newest;
}

/** `kev-07.28.2025` as `2025.07.28`. */
function yearFirst(name: string): string {
  const [month, day, year] = name.slice('kev-'.length).split('.');
  return [year, month, day].join('.');
}
