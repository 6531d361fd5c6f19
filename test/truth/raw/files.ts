import { readFileSync } from 'node:fs';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { sharedPath } from '../../support/shared.ts';

/** The feeds as they lie on disk, read the plain way: nothing here knows the parsers under test. */

export function feedFile(...parts: string[]): Buffer {
  const path = sharedPath('feeds', ...parts);
  if (path === null) throw new Error(`no ${parts.join('/')} in the feeds`);
  return readFileSync(path);
}

export function feedJson(...parts: string[]): any {
  return JSON.parse(feedFile(...parts).toString('utf8'));
}

/** Years that have a file, and the `cve` objects of one of them. */
export const NVD_YEARS: readonly number[] = Array.from({ length: 24 }, (_, index) => 2002 + index);

export function nvdYear(year: number): any[] {
  const packed = feedFile('nvd', `nvdcve-2.0-${year}.json.gz`);
  // The last four bytes say how long the text is (RFC 1952, ISIZE): in one piece it need not be joined.
  const text = gunzipSync(packed, { chunkSize: packed.readUInt32LE(packed.length - 4) }).toString('utf8');
  return JSON.parse(text).vulnerabilities.map((element: any) => element.cve);
}

/** Files of a zip archive by its central directory (APPNOTE 4.3.12), those that are wanted; neither encryption nor zip64. */
export function* zipFiles(
  archive: Buffer,
  isWanted: (name: string) => boolean = () => true,
): Iterable<{ name: string; content: Buffer }> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'));
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength!);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20));
    if (!name.endsWith('/') && isWanted(name))
      yield { name, content: archive.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed) };
    at += 46 + nameLength! + extraLength! + noteLength!;
  }
}

/** CSV (RFC 4180) as objects by column name. */
export function csvRows(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end !== ',') rows.push([]);
  }
  const [header, ...body] = rows.filter((row) => row.length > 1);
  return body.map((row) => Object.fromEntries(header!.map((name, index) => [name, row[index] ?? ''])));
}
