import type { HeaderIssueDefinition } from './header-issue.ts';

/** Issues of CORS, COOP, COEP, CORP and Origin-Agent-Cluster. Codes are stable. */
export const CROSS_ORIGIN_ISSUES = {
  agent_cluster_invalid: {
    severity: 'LOW',
    description: 'The value is not ?1 or ?0, so browsers ignore it.',
    remediation: 'Send Origin-Agent-Cluster: ?1.',
    ignored: true,
  },
  isolation_incomplete: {
    severity: 'INFO',
    description:
      'The page is not cross-origin isolated: that needs Cross-Origin-Opener-Policy: same-origin beside this header.',
    remediation: 'Send Cross-Origin-Opener-Policy: same-origin too, or leave isolation away.',
  },
  coop_missing: {
    severity: 'INFO',
    description: 'Pages opened from elsewhere keep a reference to this one.',
    remediation: 'Send Cross-Origin-Opener-Policy: same-origin, or same-origin-allow-popups.',
  },
  coop_invalid: {
    severity: 'LOW',
    description: 'Browsers do not know the value, so the default unsafe-none applies.',
    remediation: 'Send Cross-Origin-Opener-Policy: same-origin.',
    ignored: true,
  },
  coop_unsafe_none: {
    severity: 'INFO',
    description: 'unsafe-none is the default, without isolation.',
    remediation: 'Send Cross-Origin-Opener-Policy: same-origin.',
  },
  coep_missing: {
    severity: 'INFO',
    description: 'Resources of other sites load without their consent, so the page is not cross-origin isolated.',
    remediation: 'Where isolation is wanted, send Cross-Origin-Embedder-Policy: require-corp or credentialless.',
  },
  coep_invalid: {
    severity: 'LOW',
    description: 'Browsers do not know the value, so the default unsafe-none applies.',
    remediation: 'Send Cross-Origin-Embedder-Policy: require-corp or credentialless.',
    ignored: true,
  },
  coep_unsafe_none: {
    severity: 'INFO',
    description: 'unsafe-none is the default, without isolation.',
    remediation: 'Where isolation is wanted, send Cross-Origin-Embedder-Policy: require-corp.',
  },
  corp_missing: {
    severity: 'INFO',
    description: 'Other sites may embed this resource.',
    remediation:
      'Send Cross-Origin-Resource-Policy: same-origin or same-site, except on what others are meant to embed.',
  },
  corp_invalid: {
    severity: 'LOW',
    description: 'Browsers do not know the value (it is compared exactly), so no policy applies.',
    remediation: 'Send Cross-Origin-Resource-Policy: same-origin, same-site or cross-origin.',
    ignored: true,
  },
  cors_wildcard_with_credentials: {
    severity: 'MEDIUM',
    description:
      'Every origin and credentials are allowed at once, which browsers refuse; a server meaning that often reflects origins.',
    remediation: 'Name the trusted origins, and allow credentials to those alone.',
  },
  cors_null_origin: {
    severity: 'MEDIUM',
    description: 'The origin null is allowed: any site reaches it from a sandboxed frame.',
    remediation: 'Do not allow null; name the trusted origins.',
  },
  cors_null_origin_with_credentials: {
    severity: 'HIGH',
    description:
      'The origin null is allowed with credentials: any site can read what a visitor is shown, from a sandboxed frame.',
    remediation: 'Do not allow null; name the trusted origins.',
  },
  cors_reflects_origin_with_credentials: {
    severity: 'HIGH',
    description: 'Any origin that asks is allowed, with credentials: any site can read what a visitor is shown.',
    remediation: 'Compare the origin with a list of trusted ones before it is allowed.',
  },
  cors_reflects_origin: {
    severity: 'LOW',
    description: 'Any origin that asks is allowed.',
    remediation: 'Compare the origin with a list of trusted ones, or send * where everything is public.',
  },
  cors_invalid: {
    severity: 'LOW',
    description: 'The value is neither *, null nor one origin, so browsers allow no origin.',
    remediation: 'Send one origin, and Vary: Origin.',
    ignored: true,
  },
  cors_public: {
    severity: 'INFO',
    description: 'Every site may read this response, without credentials.',
    remediation: 'Nothing, where it is meant to be public.',
  },
} as const satisfies Record<string, HeaderIssueDefinition>;
