import type { WeaknessEntry } from '../entries.ts';
import { type Feed, type FeedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { parseUtcTime } from '../fields.ts';
import { unzip } from '../unpack.ts';
import { readXmlElements } from './read-xml-elements.ts';
import { membersOfResearchView, parseWeakness } from './weakness.ts';

const FILE_NAME = 'cwec_latest.xml.zip';
const WANTED_ELEMENTS: ReadonlySet<string> = new Set(['Weakness', 'View']);
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** MITRE's CWE list, an XML document (schema 7) in a zip. */
export const cweFeed: Feed<'weakness'> = {
  id: 'cwe',
  kind: 'weakness',
  title: 'MITRE CWE list',
  addresses: ['https://cwe.mitre.org/data/xml/'],
  folder: 'cwe',
  everyHours: 168,
  maxBytes: MAX_BYTES,
  maxUnpackedBytes: MAX_UNPACKED_BYTES,
  staleAfterDays: null,
  async files(): Promise<FeedFile[]> {
    return [{ name: FILE_NAME, path: FILE_NAME, fingerprint: null, extent: 'whole', sha256: null }];
  },
  parse,
};

async function* parse(
  bytes: AsyncIterable<Uint8Array>,
  _file: FeedFile,
  tally: ParseReporter,
): AsyncIterable<WeaknessEntry[]> {
  let sawDocument = false;
  const archive = unzip(bytes, { maxBytes: MAX_BYTES, maxUnpackedBytes: MAX_UNPACKED_BYTES, maxEntries: 20 });
  for await (const file of archive) {
    if (!file.name.endsWith('.xml')) continue;
    sawDocument = true;
    yield await readDocument(file.bytes, tally);
  }
  if (!sawDocument) throw new FeedFormatError('no .xml file in the zip');
}

/** Weaknesses are held until the end of the document: the views, which say who is a pillar, come last in it. */
async function readDocument(bytes: AsyncIterable<Uint8Array>, tally: ParseReporter): Promise<WeaknessEntry[]> {
  const weaknesses: WeaknessEntry[] = [];
  const pillars = new Set<string>();
  let sawRoot = false;
  const onRoot = (name: string, attributes: Readonly<Record<string, string>>) => {
    sawRoot = true;
    readRoot(name, attributes, tally);
  };
  for await (const element of readXmlElements(bytes, WANTED_ELEMENTS, onRoot)) {
    if (element.name === 'View') {
      for (const member of membersOfResearchView(element) ?? []) pillars.add(member);
      continue;
    }
    try {
      weaknesses.push(parseWeakness(element));
    } catch (error) {
      tally.skip(`weakness ${element.attributes['ID'] ?? '?'}`, error instanceof Error ? error.message : String(error));
    }
  }
  if (!sawRoot) throw new FeedFormatError('the XML file holds no element');
  for (const weakness of weaknesses) {
    if (pillars.has(weakness.cwe_id) && weakness.status !== 'Deprecated') weakness.in_view_1000 = true;
  }
  return weaknesses;
}

function readRoot(name: string, attributes: Readonly<Record<string, string>>, tally: ParseReporter): void {
  if (name !== 'Weakness_Catalog') throw new FeedFormatError(`the XML is a "${name}", not a CWE Weakness_Catalog`);
  const { Version: version, Date: date } = attributes;
  if (version !== undefined) tally.setNote('version', version);
  const asOf = parseUtcTime(date);
  if (asOf !== null) tally.setDataTime(asOf);
}
