import { crc32 } from './checksum.ts';

/**
 * Secrets that their owners published on purpose, in documentation and in tests of public libraries, by their CRC-32: none of them
 * is a leak, and so they need not be listed here themselves.
 */
const KNOWN_TEST_SECRET_CRCS: ReadonlySet<number> = new Set([
  // Google API keys in the tests of github.com/firebase/firebase-android-sdk
  0x3627aa84, 0x94bb94f9, 0xffddd189, 0x6159ac90, 0x6a4f7820, 0xfbc47221, 0x08394327, 0xafe8ff3e, 0x6b66e8a8,
  0x5c298136, 0x1f358cbe, 0x6b9463f8, 0x202f468f, 0x3c5d7fda,
  // the bot token of Telegram's documentation
  0x28503139,
  // the search-only key of the public index of npm packages, in github.com/yarnpkg/berry
  0x3c178f9b,
  // the secret key of the settings that Grafana comes with
  0x651e5912,
  // the test key of Stripe's documentation
  0x776de070,
]);

export function isKnownTestSecret(secret: string): boolean {
  return KNOWN_TEST_SECRET_CRCS.has(crc32(secret));
}
