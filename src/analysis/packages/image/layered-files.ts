import { IMAGE_PATHS, isListPath } from './list-paths.ts';

const WHITEOUT = '.wh.';
const OPAQUE_FOLDER = '.wh..wh..opq';
/** Marks of a file system (aufs) that are no whiteouts. */
const NO_WHITEOUT = '.wh..wh.';

export interface LayerEntry {
  /** As the layer writes it. */
  name: string;
  type: 'file' | 'folder' | 'link' | 'other';
  /** Of a link, hard or symbolic; one that begins with `/` is from the root of the image. */
  target: string;
}

interface LayerFile {
  layer: number;
  content: Uint8Array | null;
}

/**
 * The files of an image that list its packages, after all its layers (OCI image specification, "Image Layer Filesystem Changeset"). Layers are
 * numbered from the lowest and may come in any order.
 */
export class LayeredFiles {
  readonly #files = new Map<string, LayerFile>();
  readonly #links = new Map<string, { layer: number; target: string }>();
  /** By path, the highest layer that removes or replaces it, and the highest that empties the folder. */
  readonly #removed = new Map<string, number>();
  readonly #emptied = new Map<string, number>();
  #heldBytes = 0;

  /** Of all contents that are kept. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Whether the content of a regular file is needed: it lists packages, and no higher layer is known to have it. */
  wants(layer: number, name: string): boolean {
    const path = normalizePath(name);
    return path !== null && isListPath(path) && (this.#files.get(path)?.layer ?? -1) <= layer;
  }

  /** Takes note of an entry; `content` of a file that is wanted. */
  add(layer: number, entry: LayerEntry, content: Uint8Array | null): void {
    const { name, type, target } = entry;
    const path = normalizePath(name);
    if (path === null) return;
    const cut = path.lastIndexOf('/') + 1;
    const last = path.slice(cut);
    if (last === OPAQUE_FOLDER) {
      const folder = path.slice(0, Math.max(0, cut - 1));
      if (folder === '' || isWatched(folder)) raise(this.#emptied, folder, layer);
    } else if (last.startsWith(WHITEOUT)) {
      const removed = path.slice(0, cut) + last.slice(WHITEOUT.length);
      if (!last.startsWith(NO_WHITEOUT) && isWatched(removed)) raise(this.#removed, removed, layer);
    } else if (type === 'folder' ? isListPath(path) : isWatched(path)) {
      // What lower layers have there is replaced, and so is all below a folder.
      raise(this.#removed, path, layer);
      if (type === 'file' && this.wants(layer, name)) this.#keep(path, { layer, content });
      if (type === 'link' && (this.#links.get(path)?.layer ?? -1) <= layer) this.#links.set(path, { layer, target });
    }
  }

  #keep(path: string, file: LayerFile): void {
    this.#heldBytes += (file.content?.length ?? 0) - (this.#files.get(path)?.content?.length ?? 0);
    this.#files.set(path, file);
  }

  /** What is there after the highest layer, by path; null: its content was not kept. */
  files(): Map<string, Uint8Array | null> {
    const there = [...this.#files].filter(([path, { layer }]) => this.#isThere(path, layer));
    return new Map(there.map(([path, { content }]) => [path, content]));
  }

  /** Links on the way to a list of packages that lead to no other place that is looked at. */
  unfollowedLinks(): { path: string; target: string }[] {
    return [...this.#links]
      .filter(([path, { layer, target }]) => this.#isThere(path, layer) && !leadsToListPath(path, target))
      .map(([path, { target }]) => ({ path, target }));
  }

  /** A layer hides what lower ones have, not what it has itself. */
  #isThere(path: string, layer: number): boolean {
    if ((this.#removed.get(path) ?? -1) > layer) return false;
    for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, Math.max(0, at));
      if (Math.max(this.#removed.get(folder) ?? -1, this.#emptied.get(folder) ?? -1) > layer) return false;
      if (at <= 0) return true;
    }
  }
}

function raise(layers: Map<string, number>, path: string, layer: number): void {
  layers.set(path, Math.max(layers.get(path) ?? -1, layer));
}

/** The path without `./` and `/` at its beginning; null for one that leads out of the image. */
function normalizePath(name: string): string | null {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? null : parts.join('/');
}

/** A list of packages, or a folder on the way to one. */
function isWatched(path: string): boolean {
  return isListPath(path) || IMAGE_PATHS.some((one) => one === path || one.startsWith(`${path}/`));
}

function leadsToListPath(path: string, target: string): boolean {
  const from = target.startsWith('/') ? [] : path.split('/').slice(0, -1);
  const parts: string[] = [];
  for (const part of [...from, ...target.split('/')]) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const place = parts.join('/');
  return IMAGE_PATHS.filter((one) => one === path || one.startsWith(`${path}/`)).every((one) =>
    IMAGE_PATHS.includes(place + one.slice(path.length)),
  );
}
