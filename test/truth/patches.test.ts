import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { gathered } from './raw/gathered.ts';

const skip = noFeeds;

test('a patch that stands behind ten other references is found, and the fix is shown first', { skip }, async () => {
  const { latePatches } = await gathered();
  const { ask } = await fullCatalog();
  assert.ok(latePatches.length > 100, `${latePatches.length} records`);
  for (const [id, url] of latePatches) {
    const { patch_available, patch_url, references, total_references } = await ask('cve_lookup', { cve_id: id });
    assert.equal(patch_available, true, id);
    assert.equal(references[0], patch_url, id);
    const all = await ask('cve_lookup', { cve_id: id, include_full_references: true });
    assert.ok(all['references'].includes(url), id);
    assert.equal(references.length, 10, id);
    assert.ok(total_references > 10, id);
  }
});

test('a patch at an ftp address is a patch, and such references count', { skip }, async () => {
  const { otherSchemes } = await gathered();
  const { ask, catalog } = await fullCatalog();
  const ftp = otherSchemes.filter(([, urls]) => urls.some((url) => url.startsWith('ftp://')));
  assert.ok(ftp.length > 1000, `${ftp.length} records`);
  const lost = ftp.filter(([id, urls]) => {
    const kept = new Set(catalog.cve(id, true)!.record!.references.map(({ url }) => url));
    return urls.some((url) => url.startsWith('ftp://') && !kept.has(url));
  });
  assert.deepEqual(
    lost.map(([id, urls]) => `${id} ${urls[0]}`).slice(0, 10),
    [],
    `${lost.length} records lost references`,
  );
  for (const [id, , tagged] of ftp.filter(([, , tagged]) => tagged.length > 0)) {
    assert.equal((await ask('cve_lookup', { cve_id: id }))['patch_available'], true, `${id} ${tagged[0]}`);
  }
});
