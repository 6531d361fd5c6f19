import { type InnerList, isInnerList, type Item, parseDictionary, Token } from 'structured-headers';
import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';
import { parseStructuredField } from './structured-field.ts';

const HEADER = 'Permissions-Policy';
const REFERENCE = `https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/${HEADER}`;

/** Features that a hostile frame gains something by. */
const POWERFUL_FEATURES = new Set(
  'bluetooth camera clipboard-read display-capture geolocation hid identity-credentials-get local-fonts microphone midi payment publickey-credentials-get screen-wake-lock serial usb'.split(
    ' ',
  ),
);
/** The list of features of the W3C's repository (permissions-policy, features.md), with those that were taken back. */
const OTHER_FEATURES = new Set(
  `accelerometer all-screens-capture ambient-light-sensor aria-notify attribution-reporting autofill autoplay battery browsing-topics
  captured-surface-control ch-device-memory ch-downlink ch-dpr ch-ect ch-prefers-color-scheme ch-prefers-reduced-motion
  ch-prefers-reduced-transparency ch-rtt ch-save-data ch-ua ch-ua-arch ch-ua-bitness ch-ua-form-factors ch-ua-full-version
  ch-ua-full-version-list ch-ua-high-entropy-values ch-ua-mobile ch-ua-model ch-ua-platform ch-ua-platform-version ch-ua-wow64
  ch-viewport-height ch-viewport-width ch-width clipboard-write compute-pressure conversion-measurement controlled-frame
  cross-origin-isolated deferred-fetch deferred-fetch-minimal device-attributes digital-credentials-create digital-credentials-get
  direct-sockets direct-sockets-multicast direct-sockets-private document-domain encrypted-media execution-while-not-rendered
  execution-while-out-of-viewport fenced-unpartitioned-storage-read focus-without-user-activation fullscreen gamepad gyroscope
  idle-detection interest-cohort join-ad-interest-group keyboard-lock keyboard-map language-detector language-model layout-animations
  legacy-image-formats local-network local-network-access loopback-network magnetometer manual-text mediasession monetization
  navigation-override on-device-speech-recognition otp-credentials oversized-images picture-in-picture private-aggregation
  private-state-token-issuance private-state-token-redemption proofreader publickey-credentials-create record-ad-auction-events
  rewriter run-ad-auction shared-autofill shared-storage shared-storage-select-url smart-card speaker-selection storage-access
  sub-apps summarizer sync-script sync-xhr translator trust-token-redemption unload unoptimized-images unsized-media vertical-scroll vr
  wake-lock web-app-installation web-share window-management window-placement writer xr xr-spatial-tracking`.split(
    /\s+/,
  ),
);
const KEYWORDS = ['*', 'self', 'src'];

/** Permissions Policy (W3C), section 5.2: a structured dictionary of features to lists of origins. */
export function checkPermissionsPolicy(headers: HeaderMap): HeaderCheckResult {
  return { header: HEADER, issues: findPermissionsIssues(joinedValue(headers, HEADER)), reference: REFERENCE };
}

function findPermissionsIssues(value: string | null): HeaderIssue[] {
  if (value === null) return [{ code: 'permissions_missing' }];
  const features = parseStructuredField(value, parseDictionary);
  if (features === null || features.size === 0) return [{ code: 'permissions_invalid' }];
  const named = (select: (name: string, allowed: readonly Item[]) => boolean): string[] =>
    [...features].filter(([name, allowed]) => select(name, itemsOf(allowed))).map(([name]) => name);
  const issues: readonly HeaderIssue[] = [
    { code: 'permissions_open', subjects: named((name, items) => POWERFUL_FEATURES.has(name) && items.some(isAll)) },
    { code: 'permissions_value_ignored', subjects: named((name, items) => isKnown(name) && !items.every(isAllowance)) },
    { code: 'permissions_unknown_feature', subjects: named((name) => !isKnown(name)) },
  ];
  return issues.filter(({ subjects = [] }) => subjects.length > 0);
}

function isKnown(name: string): boolean {
  return POWERFUL_FEATURES.has(name) || OTHER_FEATURES.has(name);
}

function itemsOf(allowed: Item | InnerList): readonly Item[] {
  return isInnerList(allowed) ? allowed[0] : [allowed];
}

function isAll([value]: Item): boolean {
  return value instanceof Token && value.toString() === '*';
}

/** A keyword, or an origin in quotes. */
function isAllowance([value]: Item): boolean {
  if (value instanceof Token) return KEYWORDS.includes(value.toString());
  return typeof value === 'string' && /^(?:[a-z][a-z0-9+.-]*:\/\/[^/\s]+\/?|\*)$/i.test(value);
}
