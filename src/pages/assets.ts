import { ASSETS } from './assets.computed.ts';

/** Name of a file that browsers load. */
export type AssetName = keyof typeof ASSETS;

/** The path of a file that browsers load; it changes with the content, so that it can be kept for ever. */
export function assetPath(name: AssetName): string {
  return ASSETS[name].path;
}

/** The file at a path; null: no file has it. */
export function findAsset(path: string): { type: string; body: string } | null {
  return ASSETS_BY_PATH.get(path) ?? null;
}

const ASSETS_BY_PATH = new Map(Object.values(ASSETS).map((asset) => [asset.path, asset]));
