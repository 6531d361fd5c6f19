import { sourceOfRpm } from '../distributions.ts';
import type { ReportGap } from '../lockfiles/locked-package.ts';
import type { InstalledPackage } from './package-lists.ts';
import { readSqliteTable, UnreadableDatabaseError } from './sqlite-table.ts';

/** Numbers of header tags (RPM, "Header tags"). */
const TAGS = { name: 1000, version: 1001, release: 1002, epoch: 1003, source: 1044 } as const;
const INT32 = 4;
const STRING = 6;
const INDEX_ENTRY_BYTES = 16;
/** Keys that packages are signed with stand among the packages. */
const KEY_NAME = 'gpg-pubkey';
const BLOB_COLUMN = 1;

/** RPM's `rpmdb.sqlite`: the table `Packages` has a header for each package. */
export function readRpmDatabase(content: Uint8Array, path: string, note: ReportGap): InstalledPackage[] {
  try {
    const found: InstalledPackage[] = [];
    let unread = 0;
    for (const header of readSqliteTable(content, 'Packages', BLOB_COLUMN)) {
      const one = parseRpmHeader(header);
      if (one === null) unread++;
      else if (one.name !== KEY_NAME) found.push(one);
    }
    if (unread > 0) note(`${unread} of the packages in ${path} were not understood`);
    return found;
  } catch (error) {
    if (!(error instanceof UnreadableDatabaseError)) throw error;
    note(`${path} cannot be read: ${error.message}`);
    return [];
  }
}

/** A header without its magic number: two counts, an index of 16 bytes for each tag, and the data. */
function parseRpmHeader(header: Uint8Array): InstalledPackage | null {
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  if (header.length < 8) return null;
  const count = view.getUint32(0);
  const data = 8 + count * INDEX_ENTRY_BYTES;
  if (data > header.length) return null;
  const values = new Map<number, string>();
  for (let at = 8; at < data; at += INDEX_ENTRY_BYTES) {
    const [tag, type, offset] = [view.getUint32(at), view.getUint32(at + 4), data + view.getUint32(at + 8)];
    if (type === STRING && offset < header.length) values.set(tag, textAt(header, offset));
    if (type === INT32 && offset + 4 <= header.length) values.set(tag, String(view.getUint32(offset)));
  }
  const [name, version, release, epoch] = [TAGS.name, TAGS.version, TAGS.release, TAGS.epoch].map((tag) =>
    values.get(tag),
  );
  if (name === undefined || version === undefined || release === undefined) return null;
  const whole = `${epoch === undefined ? '' : `${epoch}:`}${version}-${release}`;
  const source = sourceOfRpm(values.get(TAGS.source) ?? '') ?? name;
  return { name, version: whole, source: { name: source, version: whole } };
}

const MAX_TEXT_BYTES = 1000;

function textAt(bytes: Uint8Array, start: number): string {
  const field = bytes.subarray(start, start + MAX_TEXT_BYTES);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}
