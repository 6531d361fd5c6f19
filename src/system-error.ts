/**
 * What the operating system, SQLite or zlib says when a file, folder or address cannot be used, in plain words and with what to do about
 * it. Codes: errno names of POSIX; result codes of SQLite (https://sqlite.org/rescode.html).
 */
interface Meaning {
  says: string;
  remedy: string | null;
}

const FREE_SPACE = 'free some space, or set SEXTANT_DATA_DIR to a disk that has it';
const PERMISSION = 'give this user the right to it';

const BY_CODE: Readonly<Record<string, Meaning>> = {
  ENOSPC: { says: 'the disk is full', remedy: FREE_SPACE },
  EDQUOT: { says: 'the disk quota is used up', remedy: FREE_SPACE },
  EROFS: { says: 'the file system is read-only', remedy: 'set SEXTANT_DATA_DIR to a folder that can be written' },
  EACCES: { says: 'permission denied', remedy: PERMISSION },
  EPERM: { says: 'the operation is not permitted', remedy: PERMISSION },
  ENOENT: { says: 'there is no such file or folder', remedy: null },
  ENOTDIR: { says: 'a part of the path is not a folder', remedy: null },
  EISDIR: { says: 'it is a folder, not a file', remedy: null },
  EEXIST: { says: 'it exists already', remedy: null },
  ENAMETOOLONG: { says: 'the name is too long', remedy: null },
  ELOOP: { says: 'its symbolic links form a loop', remedy: null },
  EMFILE: { says: 'this process has too many open files', remedy: 'raise the limit (ulimit -n)' },
  ENFILE: { says: 'this machine has too many open files', remedy: null },
  ENOMEM: { says: 'there is not enough memory', remedy: null },
  EIO: { says: 'the disk failed to read or write', remedy: 'check the disk' },
  ECONNREFUSED: { says: 'the connection was refused', remedy: null },
  ECONNRESET: { says: 'the connection was broken off', remedy: null },
  EHOSTUNREACH: { says: 'the host cannot be reached', remedy: null },
  ENETUNREACH: { says: 'the network cannot be reached', remedy: null },
  ENOTFOUND: { says: 'the name does not exist', remedy: null },
  ETIMEDOUT: { says: 'no answer came in time', remedy: null },
  EADDRINUSE: { says: 'the address is in use by another program', remedy: 'set SEXTANT_PORT to a free port' },
  EADDRNOTAVAIL: {
    says: 'this machine does not have that address',
    remedy: 'set SEXTANT_HOST to an address of this machine',
  },
};

const BY_SQLITE_CODE: Readonly<Record<number, Meaning>> = {
  3: { says: 'permission to a database file is denied', remedy: PERMISSION },
  5: { says: 'a database file is locked by another process', remedy: null },
  6: { says: 'a database file is locked by another process', remedy: null },
  8: { says: 'a database file cannot be written', remedy: PERMISSION },
  10: { says: 'a database file cannot be read or written', remedy: 'check the disk' },
  11: { says: 'a database file is damaged', remedy: null },
  13: { says: 'the disk is full', remedy: FREE_SPACE },
  14: { says: 'a database file cannot be opened', remedy: 'sextant doctor looks for the reason' },
  26: { says: 'a file is not a database', remedy: null },
};

/**
 * One line without path, address or errno text: safe for a log and for a public body. An error that no system raised keeps its own
 * message.
 */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isSystemError(error)) return error.message;
  return meaningOf(error)?.says ?? `the system reports ${codeOf(error)}`;
}

/** What to do about it; null where the description says all. */
export function remedyFor(error: unknown): string | null {
  return error instanceof Error && isSystemError(error) ? (meaningOf(error)?.remedy ?? null) : null;
}

/** An error of the operating system (`syscall`, an errno name) or of SQLite: its message may hold paths. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && (sqliteCode(error) !== null || /^E[A-Z0-9]+$/.test(codeOf(error)));
}

/** SQLite's primary result code; null where SQLite did not raise this. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || codeOf(error) !== 'ERR_SQLITE_ERROR') return null;
  const { errcode } = error as Error & { errcode?: number };
  return errcode === undefined ? null : errcode & 0xff;
}

/** SQLite found a file to be damaged, or not to be a database at all. */
export function isSqliteDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 11 || code === 26;
}

function meaningOf(error: Error): Meaning | undefined {
  const sqlite = sqliteCode(error);
  return sqlite === null ? BY_CODE[codeOf(error)] : BY_SQLITE_CODE[sqlite];
}

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
