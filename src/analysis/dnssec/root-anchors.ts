import type { DsData } from './records.ts';

/** Trust anchors of the root (IANA, root-anchors.xml): KSK-2017 and KSK-2024. */
export const ROOT_ANCHORS: readonly DsData[] = [
  createAnchor(20326, 'e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d'),
  createAnchor(38696, '683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16'),
];

/** For an RSA/SHA-256 key, by its SHA-256 digest. */
function createAnchor(keyTag: number, digest: string): DsData {
  return { keyTag, algorithm: 8, digestType: 2, digest: Buffer.from(digest, 'hex') };
}
