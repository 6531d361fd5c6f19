import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileUpstream } from '../../feeds/upstream.ts';
import { UpstreamError } from '../../feeds/upstream-error.ts';
import { NetError } from '../../net/net-error.ts';
import { type PublishedFile, refusedError } from './signed-metadata.ts';

const PARTIAL = '.part';
const MAX_ATTEMPTS = 4;

/**
 * Fetches a published file into the folder of the catalog and gives its path. What a broken connection or a killed process left is
 * continued, also at the next check. Never more bytes are written than the file has. Throws `PublishedCatalogError` where the bytes
 * are not those that were announced.
 */
export async function downloadFile(
  { folder, upstream, signal }: { folder: string; upstream: FileUpstream; signal?: AbortSignal | undefined },
  within: string,
  { file, bytes, sha256 }: PublishedFile,
): Promise<string> {
  const path = join(folder, `${sha256}${PARTIAL}`);
  for (let attempt = 1; ; attempt++) {
    const present = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // Longer than the file, or complete and wrong: left by something else.
    if (present > bytes) rmSync(path);
    else if (present === bytes) break;
    try {
      await append(upstream, `${within}/${file}`, path, present > bytes ? 0 : present, bytes, signal);
      break;
    } catch (error) {
      const isCut = error instanceof NetError && (error.code === 'reset' || error.code === 'timeout');
      const hasProgress = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > present;
      if (!isCut || attempt >= MAX_ATTEMPTS || !hasProgress) throw error;
    }
  }
  if ((await hashOf(path)) === sha256) return path;
  rmSync(path, { force: true });
  throw refusedError(`${file} is not the file that was signed`);
}

/** Removes what was downloaded. */
export function removeDownloads(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith(PARTIAL)) rmSync(join(folder, name), { force: true });
}

async function append(
  upstream: FileUpstream,
  name: string,
  path: string,
  present: number,
  bytes: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const opened = await upstream.readFrom(name, present);
  if (opened === null) throw new UpstreamError(`${name} is missing`);
  await using target = await open(path, opened.from === 0 ? 'w' : 'a');
  let length = opened.from;
  for await (const chunk of opened.bytes) {
    signal?.throwIfAborted();
    length += chunk.byteLength;
    if (length > bytes) {
      rmSync(path, { force: true });
      throw refusedError(`${name} is longer than was signed`);
    }
    await target.writeFile(chunk);
  }
  if (length < bytes) throw new UpstreamError(`${name} ends early`);
  await target.sync();
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
