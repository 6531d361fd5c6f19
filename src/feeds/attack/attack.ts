import type { DocumentEntry } from '../entries.ts';
import { type Feed, type FeedFile, feedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { openFirstExisting } from '../open-first-existing.ts';
import { gunzipIfPacked } from '../unpack.ts';
import type { Upstream } from '../upstream.ts';
import { readCapec } from './capec.ts';
import { readCveMappings } from './cve-mappings.ts';
import { findKevMappings } from './find-kev-mappings.ts';
import { readKevMappings } from './kev-mappings.ts';
import { readTechniques } from './techniques.ts';

type Reader = (bytes: AsyncIterable<Uint8Array>, reporter: ParseReporter) => Promise<DocumentEntry[]>;

const DEFENSE_CENTER = 'https://raw.githubusercontent.com/center-for-threat-informed-defense';
/** Releases of ATT&CK by which a mirror may name its file, newest first. */
const MIRRORED_RELEASES = ['19.0', '18.1', '18.0'];
const ENTERPRISE = 'enterprise-attack/enterprise-attack';
const CVE_MAPPINGS = 'Att&ckToCveMappings.csv';

const READERS: Readonly<Record<string, Reader>> = {
  'enterprise-attack': readTechniques,
  capec: readCapec,
  'kev-enterprise': (bytes, reporter) => readKevMappings(bytes, 'attack_kev', reporter),
  'kev-mobile': (bytes, reporter) => readKevMappings(bytes, 'attack_kev_mobile', reporter),
  'attack-to-cve': readCveMappings,
};

/**
 * MITRE ATT&CK Enterprise and CAPEC (STIX bundles), and what analysts mapped CVEs to in ATT&CK: the known-exploited ones
 * (Mappings Explorer) and the older study "ATT&CK to CVE", both of the Center for Threat-Informed Defense. Each file fills
 * collections of its own.
 */
export const attackFeed: Feed<'document'> = {
  id: 'attack',
  kind: 'document',
  title: 'MITRE ATT&CK, CAPEC and CVE mappings',
  addresses: ['https://raw.githubusercontent.com/mitre/cti/master/'],
  folder: 'attack',
  everyHours: 168,
  maxBytes: 128 * 1024 * 1024,
  maxUnpackedBytes: 256 * 1024 * 1024,
  staleAfterDays: null,
  async files(upstream) {
    const kev = await findKevMappings(upstream);
    if (upstream.layout === 'origin') {
      return [
        feedFile('enterprise-attack', { path: `${ENTERPRISE}.json` }),
        feedFile('capec', { path: 'capec/2.1/stix-capec.json' }),
        feedFile('kev-enterprise', { path: kev.enterprise }),
        feedFile('kev-mobile', { path: kev.mobile }),
        feedFile('attack-to-cve', { path: `${DEFENSE_CENTER}/attack_to_cve/master/${CVE_MAPPINGS}` }),
      ];
    }
    const mirrored = (name: string, paths: readonly string[]): FeedFile => mirroredFile(upstream, name, paths);
    return [
      mirrored('enterprise-attack', [ENTERPRISE, ...MIRRORED_RELEASES.map((release) => `${ENTERPRISE}-${release}`)]),
      mirrored('capec', ['capec/2.1/stix-capec']),
      mirrored('kev-enterprise', [kev.enterprise.replace(/\.json$/, '')]),
      mirrored('kev-mobile', [kev.mobile.replace(/\.json$/, '')]),
      feedFile('attack-to-cve', { path: `attack_to_cve/${CVE_MAPPINGS}` }),
    ];
  },
  async *parse(bytes, file, reporter) {
    const read = READERS[file.name];
    if (read === undefined) throw new FeedFormatError(`${file.name} is not one of its files`);
    yield await read(gunzipIfPacked(bytes, attackFeed), reporter);
  },
};

/** A JSON file of a mirror, under the first of these names that it has, packed or not. */
function mirroredFile(upstream: Upstream, name: string, stems: readonly string[]): FeedFile {
  const paths = stems.flatMap((stem) => [`${stem}.json.gz`, `${stem}.json`]);
  return feedFile(name, { open: (validator) => openFirstExisting(upstream, paths, validator) });
}
