import { join } from 'node:path';
import { atlasFeed } from '../../src/feeds/atlas/atlas.ts';
import { d3fendFeed } from '../../src/feeds/d3fend/d3fend.ts';
import { ATLAS_YAML } from '../feeds/atlas-fixture.ts';
import { AS_FILES, newFolder, writeFiles } from '../feeds/d3fend-fixture.ts';
import { syncInto } from '../support/catalog-of.ts';
import { NOW } from './fixture-facts.ts';

/** A catalog of the small ATLAS and D3FEND alone, synced from files. Returns its folder. */
export async function syncedCatalogs(): Promise<string> {
  const feeds = newFolder();
  writeFiles({ 'ATLAS.yaml': ATLAS_YAML }, join(feeds, 'atlas'));
  writeFiles(AS_FILES, join(feeds, 'd3fend'));
  const folder = newFolder();
  const refused = await syncInto(folder, feeds, [atlasFeed, d3fendFeed], NOW);
  if (refused.length > 0) throw new Error(refused.join('; '));
  return folder;
}
