/** Result codes of SQLite (https://sqlite.org/rescode.html). */
export const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** An error of the system in plain words, and what to do about it. */
interface ErrorDescription {
  description: string;
  remedy: string | null;
}

const FREE_SPACE_REMEDY = 'free some space, or set SEXTANT_DATA_DIR to a disk that has it';
const PERMISSION_REMEDY = 'give this user the right to it';

/** By errno name of POSIX. */
const DESCRIPTION_BY_ERRNO: Readonly<Record<string, ErrorDescription>> = {
  ENOSPC: { description: 'the disk is full', remedy: FREE_SPACE_REMEDY },
  EDQUOT: { description: 'the disk quota is used up', remedy: FREE_SPACE_REMEDY },
  EROFS: {
    description: 'the file system is read-only',
    remedy: 'set SEXTANT_DATA_DIR to a folder that can be written',
  },
  EACCES: { description: 'permission denied', remedy: PERMISSION_REMEDY },
  EPERM: { description: 'the operation is not permitted', remedy: PERMISSION_REMEDY },
  ENOENT: { description: 'there is no such file or folder', remedy: null },
  ENOTDIR: { description: 'a part of the path is not a folder', remedy: null },
  EISDIR: { description: 'it is a folder, not a file', remedy: null },
  EEXIST: { description: 'it exists already', remedy: null },
  ENAMETOOLONG: { description: 'the name is too long', remedy: null },
  ELOOP: { description: 'its symbolic links form a loop', remedy: null },
  EMFILE: { description: 'this process has too many open files', remedy: 'raise the limit (ulimit -n)' },
  ENFILE: { description: 'this machine has too many open files', remedy: null },
  ENOMEM: { description: 'there is not enough memory', remedy: null },
  EIO: { description: 'the disk failed to read or write', remedy: 'check the disk' },
  ECONNREFUSED: { description: 'the connection was refused', remedy: null },
  ECONNRESET: { description: 'the connection was broken off', remedy: null },
  EHOSTUNREACH: { description: 'the host cannot be reached', remedy: null },
  ENETUNREACH: { description: 'the network cannot be reached', remedy: null },
  ENOTFOUND: { description: 'the name does not exist', remedy: null },
  ETIMEDOUT: { description: 'no answer came in time', remedy: null },
  EADDRINUSE: { description: 'the address is in use by another program', remedy: 'set SEXTANT_PORT to a free port' },
  EADDRNOTAVAIL: {
    description: 'this machine does not have that address',
    remedy: 'set SEXTANT_HOST to an address of this machine',
  },
};

const DESCRIPTION_BY_SQLITE_CODE: Readonly<Record<number, ErrorDescription>> = {
  3: { description: 'permission to a database file is denied', remedy: PERMISSION_REMEDY },
  5: { description: 'a database file is locked by another process', remedy: null },
  6: { description: 'a database file is locked by another process', remedy: null },
  8: { description: 'a database file cannot be written', remedy: PERMISSION_REMEDY },
  10: { description: 'a database file cannot be read or written', remedy: 'check the disk' },
  [SQLITE_CORRUPT]: { description: 'a database file is damaged', remedy: null },
  13: { description: 'the disk is full', remedy: FREE_SPACE_REMEDY },
  14: { description: 'a database file cannot be opened', remedy: 'sextant doctor looks for the reason' },
  [SQLITE_NOTADB]: { description: 'a file is not a database', remedy: null },
};

/**
 * One line without path, address or errno text: safe for a log and for a public body. An error that no system raised keeps its own
 * message.
 */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isSystemError(error)) return error.message;
  return descriptionOf(error)?.description ?? `the system reports ${errorCodeOf(error)}`;
}

/** What to do about it; null where the description says all. */
export function remedyFor(error: unknown): string | null {
  return error instanceof Error && isSystemError(error) ? (descriptionOf(error)?.remedy ?? null) : null;
}

/** An error of the operating system (`syscall`, an errno name) or of SQLite: its message may hold paths. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && (sqliteCode(error) !== null || /^E[A-Z0-9]+$/.test(errorCodeOf(error)));
}

/** SQLite's primary result code; null where SQLite did not raise this. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || errorCodeOf(error) !== 'ERR_SQLITE_ERROR') return null;
  const { errcode } = error as Error & { errcode?: number };
  return errcode === undefined ? null : errcode & 0xff;
}

/** SQLite found a file to be damaged, or not to be a database at all. */
export function isSqliteDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

function descriptionOf(error: Error): ErrorDescription | undefined {
  const sqlite = sqliteCode(error);
  return sqlite === null ? DESCRIPTION_BY_ERRNO[errorCodeOf(error)] : DESCRIPTION_BY_SQLITE_CODE[sqlite];
}

function errorCodeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
