import { createReadStream } from 'node:fs';
import { isJsonObject, parseBoundedJson } from '../../analysis/bounded-json.ts';
import { isReadableList } from '../../analysis/packages/image/list-paths.ts';
import { LayeredFiles, type LayerEntry } from '../../analysis/packages/image/layered-files.ts';
import { type JsonObject, objectList } from '../../analysis/packages/lockfiles/locked-package.ts';
import { type DocumentResult, readImages } from '../../analysis/packages/read-document.ts';
import { FeedFormatError } from '../../feeds/feed.ts';
import { readEntry, readTarEntries, type TarEntry } from '../../feeds/read-tar.ts';
import { gunzipIfPacked } from '../../feeds/unpack.ts';
import {
  type ArchiveListing,
  findImages,
  type ImageLayers,
  isManifestName,
  normalizeArchivePath,
} from './image-archive.ts';
import type { FoundFile } from './list-files.ts';

const IMAGE_NAME = /\.(?:tar|tar\.gz|tgz)$/i;
const MAX_UNPACKED_BYTES = 64 * 1024 ** 3;
/** Of the archive itself, and with those of its layers. */
const MAX_OUTER_ENTRIES = 100_000;
const MAX_ENTRIES = 10_000_000;
/** Files that list packages: images without a package manager have one for each package. */
const MAX_LISTS = 100_000;
const MAX_MANIFEST_BYTES = 4 * 1024 ** 2;
const MAX_MANIFESTS = 2000;
const MAX_LIST_BYTES = 256 * 1024 ** 2;
/** Of all lists that are held at a time. */
const MAX_HELD_BYTES = 1024 ** 3;

/** Whether a file that was given by itself is read as a container image. */
export function isImageName(path: string): boolean {
  return IMAGE_NAME.test(path);
}

/**
 * The packages of the images in a tar archive (`docker save`, OCI image layout), packed with gzip or not: by the lists of dpkg, apk and RPM, as
 * they are after all layers. Nothing is written to disk, and no link is followed.
 */
export async function readImageArchive({ absolutePath }: FoundFile): Promise<DocumentResult> {
  try {
    const images = findImages(await listArchive(absolutePath));
    if (images === null)
      return failed('it is no image: it has neither the manifest.json of "docker save" nor the index.json of OCI');
    if (images.length === 0) return failed('it has no image');
    return await readLists(absolutePath, images);
  } catch (error) {
    if (error instanceof FeedFormatError) return failed(error.message);
    if (error instanceof Error && 'syscall' in error) return failed('it cannot be opened');
    throw error;
  }
}

function failed(error: string): DocumentResult {
  return { read: null, error };
}

/** What may still be read of all archives in one archive together. */
interface Budget {
  entries: number;
  lists: number;
}

async function listArchive(path: string): Promise<ArchiveListing> {
  const names = new Set<string>();
  const documents = new Map<string, JsonObject | JsonObject[]>();
  const links = new Map<string, string>();
  for await (const entry of entriesOf(createReadStream(path), { entries: MAX_OUTER_ENTRIES })) {
    const name = normalizeArchivePath(entry.name);
    if (name === null) continue;
    if (entry.type === 'hard link' || entry.type === 'symbolic link') {
      const folder = entry.type === 'hard link' ? '' : `${name}/../`;
      const target = normalizeArchivePath(`${folder}${entry.target}`);
      if (target !== null && !entry.target.startsWith('/')) links.set(name, target);
    }
    if (entry.type !== 'file') continue;
    names.add(name);
    if (!isManifestName(name) || entry.size > MAX_MANIFEST_BYTES || documents.size >= MAX_MANIFESTS) continue;
    const document = parseOrNull(await readEntry(entry, MAX_MANIFEST_BYTES));
    if (isJsonObject(document)) documents.set(name, document);
    else if (Array.isArray(document)) documents.set(name, objectList(document));
  }
  return { names, documents, links };
}

function parseOrNull(bytes: Buffer): unknown {
  // Small layers have names like those of manifests.
  if (bytes[0] !== 0x7b && bytes[0] !== 0x5b) return null;
  try {
    return parseBoundedJson(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

async function readLists(path: string, images: readonly ImageLayers[]): Promise<DocumentResult> {
  const owners = images.flatMap(({ layers }) => {
    const files = new LayeredFiles();
    return layers.map((name, layer) => ({ name, files, layer }));
  });
  const ownersByName = Map.groupBy(owners, ({ name }) => name);
  const merged = [...new Set(owners.map(({ files }) => files))];
  const gaps = images.flatMap((image) => image.gaps);
  const budget: Budget = { entries: MAX_ENTRIES, lists: MAX_LISTS };
  for await (const outer of entriesOf(createReadStream(path), budget)) {
    const users = outer.type === 'file' ? ownersByName.get(normalizeArchivePath(outer.name) ?? '') : undefined;
    if (users === undefined) continue;
    try {
      for await (const entry of entriesOf(outer.bytes, budget)) await addEntry(entry, users, merged, budget);
    } catch (error) {
      if (!(error instanceof FeedFormatError)) throw error;
      gaps.push(`its layer ${users[0]!.layer + 1} cannot be read: ${error.message}`);
    }
  }
  for (const files of merged) {
    for (const { path: link, target } of files.unfollowedLinks())
      gaps.push(`${link} is a link to ${target}, which was not followed`);
  }
  return readImages(
    merged.map((files) => files.files()),
    gaps,
  );
}

async function addEntry(
  entry: TarEntry,
  users: readonly { files: LayeredFiles; layer: number }[],
  merged: readonly LayeredFiles[],
  budget: Budget,
): Promise<void> {
  const isNeeded = entry.type === 'file' && users.some(({ files, layer }) => files.wants(layer, entry.name));
  if (isNeeded && --budget.lists < 0) throw new FeedFormatError(`more than ${MAX_LISTS} files list packages`);
  let content: Buffer | null = null;
  if (isNeeded && (entry.size === 0 || isReadableList(entry.name))) {
    const held = merged.reduce((sum, { heldBytes }) => sum + heldBytes, entry.size);
    if (held > MAX_HELD_BYTES)
      throw new FeedFormatError(`its lists of packages are larger than ${MAX_HELD_BYTES} bytes together`);
    content = await readEntry(entry, MAX_LIST_BYTES);
  }
  for (const { files, layer } of users) files.add(layer, toLayerEntry(entry), content);
}

function toLayerEntry({ name, type, target }: TarEntry): LayerEntry {
  // A hard link names a file by its path in the image.
  if (type === 'hard link') return { name, type: 'link', target: `/${target}` };
  return { name, type: type === 'symbolic link' ? 'link' : type, target };
}

/** Archives hold archives: layers are packed in an archive that may be packed itself. */
async function* entriesOf(bytes: AsyncIterable<Uint8Array>, budget: Pick<Budget, 'entries'>): AsyncIterable<TarEntry> {
  for await (const entry of readTarEntries(gunzipIfPacked(bytes, { maxUnpackedBytes: MAX_UNPACKED_BYTES }))) {
    if (--budget.entries < 0) throw new FeedFormatError('it has more entries than any image');
    yield entry;
  }
}
