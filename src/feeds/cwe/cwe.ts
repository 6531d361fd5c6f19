import type { WeaknessEntry } from '../entries.ts';
import { type Feed, feedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { parseUtcTime } from '../fields.ts';
import { unzip } from '../unpack.ts';
import { readXmlElements } from './read-xml-elements.ts';
import { membersOfResearchView, parseWeakness } from './weakness.ts';

const FILE_NAME = 'cwec_latest.xml.zip';
const WANTED_ELEMENTS: ReadonlySet<string> = new Set(['Weakness', 'View']);

/** MITRE's CWE list, an XML document (schema 7) in a zip. */
export const cweFeed: Feed<'weakness'> = {
  id: 'cwe',
  kind: 'weakness',
  title: 'MITRE CWE list',
  addresses: ['https://cwe.mitre.org/data/xml/'],
  folder: 'cwe',
  everyHours: 168,
  maxBytes: 32 * 1024 * 1024,
  maxUnpackedBytes: 256 * 1024 * 1024,
  staleAfterDays: null,
  files: async () => [feedFile(FILE_NAME)],
  async *parse(bytes, _file, reporter) {
    let sawDocument = false;
    const archive = unzip(bytes, { ...cweFeed, maxEntries: 20 });
    for await (const file of archive) {
      if (!file.name.endsWith('.xml')) continue;
      sawDocument = true;
      yield await readDocument(file.bytes, reporter);
    }
    if (!sawDocument) throw new FeedFormatError('no .xml file in the zip');
  },
};

/** All weaknesses are held in memory: the views, which list the pillars, are at the end of the document. */
async function readDocument(bytes: AsyncIterable<Uint8Array>, reporter: ParseReporter): Promise<WeaknessEntry[]> {
  const weaknesses: WeaknessEntry[] = [];
  const pillars = new Set<string>();
  let sawRoot = false;
  const onRoot = (name: string, attributes: Readonly<Record<string, string>>) => {
    sawRoot = true;
    readRoot(name, attributes, reporter);
  };
  for await (const element of readXmlElements(bytes, WANTED_ELEMENTS, onRoot)) {
    if (element.name === 'View') {
      for (const member of membersOfResearchView(element) ?? []) pillars.add(member);
      continue;
    }
    try {
      weaknesses.push(parseWeakness(element));
    } catch (error) {
      reporter.skip(
        `weakness ${element.attributes['ID'] ?? '?'}`,
        error instanceof Error ? error.message : String(error),
      );
    }
  }
  if (!sawRoot) throw new FeedFormatError('the XML file holds no element');
  for (const weakness of weaknesses) {
    if (pillars.has(weakness.cwe_id) && weakness.status !== 'Deprecated') weakness.in_view_1000 = true;
  }
  return weaknesses;
}

function readRoot(name: string, attributes: Readonly<Record<string, string>>, reporter: ParseReporter): void {
  if (name !== 'Weakness_Catalog') throw new FeedFormatError(`the XML is a "${name}", not a CWE Weakness_Catalog`);
  const { Version: version, Date: date } = attributes;
  if (version !== undefined) reporter.setNote('version', version);
  const asOf = parseUtcTime(date);
  if (asOf !== null) reporter.setDataTime(asOf);
}
