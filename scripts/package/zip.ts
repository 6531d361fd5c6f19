import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface ZipFile {
  /** With `/`, relative. */
  path: string;
  bytes: Buffer;
  isExecutable: boolean;
}

/** 1980-01-01 00:00, the first time that the format has. */
const DOS_DATE = 0x0021;
const DOS_TIME = 0;
const VERSION_NEEDED = 20;
const MADE_BY_UNIX = (3 << 8) | VERSION_NEEDED;
const UTF8_NAMES = 0x0800;
const DEFLATE = 8;
const REGULAR_FILE = 0o100000;
const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;

/** A ZIP archive (APPNOTE.TXT) without a time: the same files make the same bytes. Less than 65,536 files and 4 GB. */
export function writeZip(files: readonly ZipFile[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes, isExecutable } of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = commonFields(name, bytes, packed);
    const start = Buffer.concat([uint32(LOCAL_SIGNATURE), common, name, packed]);
    local.push(start);
    const mode = REGULAR_FILE | (isExecutable ? 0o755 : 0o644);
    central.push(
      Buffer.concat([
        uint32(CENTRAL_SIGNATURE),
        uint16(MADE_BY_UNIX),
        common,
        // No comment, disk 0, no internal attributes.
        Buffer.alloc(6),
        uint32((mode << 16) >>> 0),
        uint32(offset),
        name,
      ]),
    );
    offset += start.length;
  }
  const directory = Buffer.concat(central);
  const count = uint16(files.length);
  const end = [
    uint32(END_SIGNATURE),
    Buffer.alloc(4),
    count,
    count,
    uint32(directory.length),
    uint32(offset),
    uint16(0),
  ];
  return Buffer.concat([...local, directory, ...end]);
}

/** What both headers of a file have: from the version that is needed to the length of the extra field. */
function commonFields(name: Buffer, bytes: Buffer, packed: Buffer): Buffer {
  return Buffer.concat([
    uint16(VERSION_NEEDED),
    uint16(UTF8_NAMES),
    uint16(DEFLATE),
    uint16(DOS_TIME),
    uint16(DOS_DATE),
    uint32(crc32(bytes)),
    uint32(packed.length),
    uint32(bytes.length),
    uint16(name.length),
    uint16(0),
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
