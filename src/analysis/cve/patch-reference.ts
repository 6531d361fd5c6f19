import type { CveReference } from './cve-facts.ts';

/** URLs of commits, pull requests and patch files. */
const PATCH_URL_PATTERN =
  /\/commits?\/[0-9a-f]{7,40}\b|\/(?:pull|merge_requests)\/\d+|\.(?:patch|diff)(?:$|\?)|[?&]id=[0-9a-f]{40}\b/i;

/**
 * The first reference of a CVE to a fix: one with the tag `Patch` (NVD) or `patch` (CVE record), else one whose URL is that of a
 * code change; null: none.
 */
export function findPatchReference(references: readonly CveReference[]): CveReference | null {
  return (
    references.find(({ tags }) => tags.some((tag) => tag.toLowerCase() === 'patch')) ??
    references.find(({ url }) => PATCH_URL_PATTERN.test(url)) ??
    null
  );
}
