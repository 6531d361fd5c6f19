import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CveReference } from '../../../src/analysis/cve/cve-facts.ts';
import { findPatchReference } from '../../../src/analysis/cve/patch-reference.ts';

function reference(url: string, ...tags: string[]): CveReference {
  return { url, tags, source: null };
}

const advisory = reference('https://vendor.example/advisory', 'Vendor Advisory');

test('a reference tagged Patch, in the case of either source, wherever it stands', () => {
  for (const tag of ['Patch', 'patch']) {
    const patch = reference('https://vendor.example/fix', 'Vendor Advisory', tag);
    assert.equal(findPatchReference([patch]), patch);
    assert.equal(findPatchReference([...Array.from({ length: 500 }, () => advisory), patch]), patch);
  }
});

test('the tag before the look of an address', () => {
  const commit = reference('https://github.com/acme/anvil/commit/0123456789abcdef0123456789abcdef01234567');
  const tagged = reference('https://vendor.example/fix', 'Patch');
  assert.equal(findPatchReference([commit, tagged]), tagged);
});

test('addresses that are a change by their form', () => {
  for (const url of [
    'https://github.com/acme/anvil/commit/0123456',
    'https://github.com/acme/anvil/commit/0123456789abcdef0123456789abcdef01234567',
    'https://gitlab.com/acme/anvil/-/commit/0123456789abcdef0123456789abcdef01234567',
    'https://bitbucket.org/acme/anvil/commits/0123456789ab',
    'https://github.com/acme/anvil/pull/42',
    'https://gitlab.com/acme/anvil/-/merge_requests/42',
    'https://bugs.example/attachment/fix.patch',
    'https://bugs.example/fix.diff?raw=1',
    'https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/commit/?id=0123456789abcdef0123456789abcdef01234567',
  ]) {
    assert.equal(findPatchReference([advisory, reference(url)])?.url, url);
  }
});

test('addresses that are not', () => {
  for (const url of [
    'https://github.com/acme/anvil',
    'https://github.com/acme/anvil/commits/main',
    'https://github.com/acme/anvil/issues/42',
    'https://github.com/acme/anvil/pulls',
    'https://vendor.example/dispatch',
    'https://vendor.example/?id=42',
    'https://vendor.example/fix.patch.html',
  ]) {
    assert.equal(findPatchReference([advisory, reference(url)]), null, url);
  }
});

test('no reference, no patch', () => {
  assert.equal(findPatchReference([]), null);
  assert.equal(findPatchReference([advisory]), null);
});
