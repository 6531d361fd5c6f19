import { addAbortListener } from 'node:events';
import type { BigIntStats } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import type { OpenResult, Upstream } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a feed from a folder. A file's validator is its size and modification time. Symbolic links are followed, `..` is refused.
 * Every wait ends when `signal` is aborted, also if the disk does not respond.
 */
export function createFolderUpstream(
  address: URL,
  maxTextBytes: number,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Upstream {
  const folder = fileURLToPath(address);

  async function readText(path: string, limit = maxTextBytes): Promise<string | null> {
    const opened = await openFile(path, null, limit);
    if (opened.status !== 'open') return null;
    return new TextDecoder().decode(Buffer.concat(await Array.fromAsync(opened.bytes)));
  }

  async function json(path: string, limit?: number): Promise<{ body: unknown; next: null } | null> {
    const content = await readText(path, limit);
    if (content === null) return null;
    try {
      return { body: parseBoundedJson(content), next: null };
    } catch {
      throw new UpstreamError(`${path} is not JSON`);
    }
  }

  async function list(pattern: RegExp): Promise<string[]> {
    signal?.throwIfAborted();
    const entries = await orAborted(readdir(folder, { withFileTypes: true }), signal).catch((error: unknown) => {
      if (isMissing(error)) throw new UpstreamError('there is no such folder');
      throw error;
    });
    const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
    return names.filter((name) => name.search(pattern) >= 0).sort();
  }

  async function statFile(file: string): Promise<BigIntStats | null> {
    signal?.throwIfAborted();
    const stats = await orAborted(stat(file, { bigint: true }), signal).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    return stats?.isFile() ? stats : null;
  }

  async function openFile(path: string, validator: string | null, limit = maxBytes): Promise<OpenResult> {
    const file = resolveInside(folder, path);
    const stats = await statFile(file);
    if (stats === null) return { status: 'missing' };
    const current = validatorOf(stats);
    if (current === validator) return { status: 'unchanged' };
    const size = Number(stats.size);
    if (size > limit) throw new UpstreamError(`${path} is larger than ${limit} bytes`);
    return { status: 'open', bytes: content(file, path, current), size, validator: current };
  }

  async function readFrom(
    path: string,
    from: number,
  ): Promise<{ from: number; bytes: AsyncIterable<Uint8Array> } | null> {
    const file = resolveInside(folder, path);
    const stats = await statFile(file);
    return stats === null ? null : { from, bytes: content(file, path, validatorOf(stats), from) };
  }

  /** Opens the file at the first read, so that it does not stay open if it is never read. */
  async function* content(
    file: string,
    path: string,
    expected: string,
    from = 0,
  ): AsyncGenerator<Uint8Array, void, void> {
    const opening = open(file);
    try {
      const handle = await orAborted(opening, signal);
      const unchanged = async () => validatorOf(await orAborted(handle.stat({ bigint: true }), signal)) === expected;
      if (!(await unchanged())) throw new UpstreamError(`${path} changed before it was read`);
      for (let position = from; ; ) {
        signal?.throwIfAborted();
        const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
        const { bytesRead, buffer } = await orAborted(handle.read(chunk, 0, CHUNK_BYTES, position), signal);
        if (bytesRead === 0) break;
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
      if (!(await unchanged())) throw new UpstreamError(`${path} changed while it was read`);
    } finally {
      // Without `await`: closing waits for a read in progress, which may never end.
      opening.then((handle) => handle.close()).catch(() => {});
    }
  }

  return {
    layout: 'folder',
    readText,
    readJson: json,
    listFiles: list,
    openFile: (path, validator) => openFile(path, validator),
    readFrom,
  };
}

/** The result of `work`; rejects with the signal's reason as soon as it is aborted. The work itself continues. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _ = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([work, aborted]);
}

function resolveInside(folder: string, path: string): string {
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..' || /[\\:\0]/.test(name))) {
    throw new UpstreamError(`${JSON.stringify(path)} is not a name inside the folder`);
  }
  return join(folder, ...names);
}

function validatorOf(stats: BigIntStats): string {
  return `${stats.size}-${stats.mtimeNs}`;
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
