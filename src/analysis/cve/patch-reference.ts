import type { CveReference } from './cve-facts.ts';

/** Addresses whose very form says "this is the fix": a commit, a merged change, a vendor's patch page. */
const PATCH_URL_PATTERN =
  /\/commits?\/[0-9a-f]{7,40}\b|\/(?:pull|merge_requests)\/\d+|\.(?:patch|diff)(?:$|\?)|[?&]id=[0-9a-f]{40}\b/i;

/**
 * The reference at which a fix is found, over all references of a CVE: one tagged `Patch` (NVD) or `patch` (CVE record),
 * else one whose address is that of a change. Null when none is.
 */
export function findPatchReference(references: readonly CveReference[]): CveReference | null {
  return (
    references.find(({ tags }) => tags.some((tag) => tag.toLowerCase() === 'patch')) ??
    references.find(({ url }) => PATCH_URL_PATTERN.test(url)) ??
    null
  );
}
