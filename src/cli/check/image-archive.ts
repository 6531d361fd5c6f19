import { isJsonObject } from '../../analysis/bounded-json.ts';
import {
  type JsonObject,
  objectList,
  stringList,
  stringOrEmpty,
} from '../../analysis/packages/lockfiles/locked-package.ts';

const MAX_IMAGES = 50;
const MAX_LAYERS = 1000;
const MAX_INDEX_DEPTH = 4;
const MAX_LINKS = 10;

/** The layers of one image, from the lowest, by their names in the archive. */
export interface ImageLayers {
  layers: string[];
  /** Layers that the archive does not have, or that are no tar archives, and why. */
  gaps: string[];
}

/** What was seen in an archive when it was read for the first time. */
export interface ArchiveListing {
  names: ReadonlySet<string>;
  /** Contents of the files that may be manifests. */
  documents: ReadonlyMap<string, JsonObject | JsonObject[]>;
  /** By name, where a link leads. */
  links: ReadonlyMap<string, string>;
}

/** The path without `./` and `/` at its beginning; null for one that leads out of the archive. */
export function normalizeArchivePath(name: string): string | null {
  const parts: string[] = [];
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join('/');
}

/** Whether a file of an archive may say which layers an image has. */
export function isManifestName(name: string): boolean {
  return name === 'manifest.json' || name === 'index.json' || /^blobs\/[a-z0-9]{1,20}\/[0-9a-f]{32,128}$/.test(name);
}

/**
 * The images of an archive as `docker save` makes it (`manifest.json`) or of an OCI image layout (`index.json`); null where it is neither.
 */
export function findImages(listing: ArchiveListing): ImageLayers[] | null {
  const saved = listing.documents.get('manifest.json');
  if (saved !== undefined) {
    const images = Array.isArray(saved) ? saved : [];
    return images.slice(0, MAX_IMAGES).map((image) => {
      const layers = stringList(image['Layers']).map((name) => ({ name, mediaType: '' }));
      return toImageLayers(layers, listing);
    });
  }
  const index = listing.documents.get('index.json');
  return isJsonObject(index) ? imagesOfIndex(index, listing) : null;
}

function imagesOfIndex(root: JsonObject, listing: ArchiveListing): ImageLayers[] {
  const images: ImageLayers[] = [];
  const waiting = [{ document: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined && images.length < MAX_IMAGES; next = waiting.pop()) {
    const { document, depth } = next;
    if (document['layers'] !== undefined) {
      const layers = objectList(document['layers']).map(({ digest, mediaType }) => ({
        name: blobName(stringOrEmpty(digest)),
        mediaType: stringOrEmpty(mediaType),
      }));
      // Signatures and attestations are stored as images without a file system.
      if (layers.length === 0 || layers.some(({ mediaType }) => LAYER_TYPE.test(mediaType)))
        images.push(toImageLayers(layers, listing));
    } else if (depth < MAX_INDEX_DEPTH) {
      for (const { digest } of objectList(document['manifests']).slice(0, MAX_IMAGES)) {
        const inner = listing.documents.get(blobName(stringOrEmpty(digest)));
        if (isJsonObject(inner)) waiting.push({ document: inner, depth: depth + 1 });
      }
    }
  }
  return images;
}

const LAYER_TYPE = /^$|\.(?:layer|rootfs)\./;

function blobName(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function toImageLayers(layers: readonly { name: string; mediaType: string }[], listing: ArchiveListing): ImageLayers {
  const gaps: string[] = [];
  const found = layers.slice(0, MAX_LAYERS).flatMap(({ name, mediaType }, index) => {
    const path = resolveName(name, listing);
    const what = `layer ${index + 1} of ${layers.length}`;
    if (mediaType.endsWith('zstd')) gaps.push(`${what} is packed with zstd, which cannot be read here`);
    else if (path === null) gaps.push(`${what} is not in the archive`);
    else return [path];
    return [];
  });
  if (layers.length > MAX_LAYERS) gaps.push(`more than ${MAX_LAYERS} layers: later ones were not read`);
  return { layers: found, gaps };
}

/** The file that a name means: `docker save` has had links for layers that two images share. */
function resolveName(name: string, { names, links }: ArchiveListing): string | null {
  let path = normalizeArchivePath(name);
  for (let steps = 0; path !== null && links.has(path) && steps < MAX_LINKS; steps++) path = links.get(path)!;
  return path !== null && names.has(path) ? path : null;
}
