import type { HeaderIssueDefinition } from './header-issue.ts';

const SEND_CSP =
  "Send Content-Security-Policy, at least script-src with nonces or hashes, object-src 'none' and base-uri 'none'.";
const USE_NONCES =
  "Take the source out and allow each script by a nonce or hash, with 'strict-dynamic' where scripts load others.";

/** Issues of Content-Security-Policy. Codes are stable. */
export const CSP_ISSUES = {
  csp_missing: {
    severity: 'HIGH',
    description: 'No Content-Security-Policy is sent: nothing limits injected script.',
    remediation: SEND_CSP,
  },
  csp_report_only: {
    severity: 'HIGH',
    description: 'The policy is only reported on (Content-Security-Policy-Report-Only); nothing is enforced.',
    remediation: 'When the reports are quiet, send the same policy as Content-Security-Policy.',
  },
  csp_invalid: {
    severity: 'HIGH',
    description: 'The value holds no directive that browsers know.',
    remediation: SEND_CSP,
    ignored: true,
  },
  csp_script_src_missing: {
    severity: 'HIGH',
    description: 'Neither script-src nor default-src is set: any script may run.',
    remediation: SEND_CSP,
  },
  csp_script_unsafe_inline: {
    severity: 'HIGH',
    description: "Inline script may run: 'unsafe-inline' without a nonce or hash.",
    remediation: "Take 'unsafe-inline' out of script-src; allow inline scripts by nonce or hash.",
  },
  csp_script_unrestricted_source: {
    severity: 'HIGH',
    description: 'Scripts may come from anywhere.',
    remediation: USE_NONCES,
  },
  csp_script_bypass_host: {
    severity: 'MEDIUM',
    description:
      'Script sources are allowed that are known to serve JSONP or Angular, with which the policy can be bypassed.',
    remediation: USE_NONCES,
  },
  csp_script_unsafe_eval: {
    severity: 'MEDIUM',
    description: "Text may be run as script: 'unsafe-eval'.",
    remediation: "Take 'unsafe-eval' out; 'wasm-unsafe-eval' is enough for WebAssembly.",
  },
  csp_insecure_source: {
    severity: 'MEDIUM',
    description: 'Scripts, styles, frames or connections may use unencrypted sources.',
    remediation: 'Use https: sources only.',
  },
  csp_passive_insecure_source: {
    severity: 'LOW',
    description: 'Images or media may come over unencrypted connections.',
    remediation: 'Use https: sources only, or add upgrade-insecure-requests.',
  },
  csp_object_src_missing: {
    severity: 'LOW',
    description: 'Neither object-src nor default-src is set: plugins and embedded documents are not limited.',
    remediation: "Add object-src 'none'.",
  },
  csp_object_src_unrestricted: {
    severity: 'LOW',
    description: 'Plugins and embedded documents may come from anywhere.',
    remediation: "Set object-src 'none'.",
  },
  csp_base_uri_missing_with_nonce: {
    severity: 'MEDIUM',
    description: 'Without base-uri, an injected <base> sends relative scripts that carry a nonce to a foreign host.',
    remediation: "Add base-uri 'none' or 'self'.",
  },
  csp_base_uri_missing: {
    severity: 'LOW',
    description: 'base-uri is not set: an injected <base> changes where all relative addresses lead.',
    remediation: "Add base-uri 'none' or 'self'.",
  },
  csp_base_uri_unrestricted: {
    severity: 'LOW',
    description: 'base-uri lets an injected <base> lead anywhere.',
    remediation: "Set base-uri 'none' or 'self'.",
  },
  csp_form_action_missing: {
    severity: 'INFO',
    description: 'form-action is not set, and default-src does not stand in for it: injected forms may send anywhere.',
    remediation: "Add form-action 'self'.",
  },
  csp_form_action_unrestricted: {
    severity: 'INFO',
    description: 'form-action lets forms send anywhere.',
    remediation: "Set form-action 'self'.",
  },
  csp_style_src_missing: {
    severity: 'INFO',
    description: 'Neither style-src nor default-src is set: any style may be applied.',
    remediation: "Add style-src 'self'.",
  },
  csp_style_unsafe_inline: {
    severity: 'INFO',
    description: "Inline styles are allowed: 'unsafe-inline' in style-src.",
    remediation: 'Move inline styles into files, or allow them by nonce or hash.',
  },
  csp_style_unrestricted_source: {
    severity: 'INFO',
    description: 'Styles may come from anywhere.',
    remediation: 'Name the hosts that styles come from.',
  },
  csp_weak_nonce: {
    severity: 'LOW',
    description: 'A nonce is so short that it can be guessed.',
    remediation: 'Make each nonce of at least 16 random bytes, new for every response.',
  },
  csp_short_nonce: {
    severity: 'INFO',
    description: 'A nonce is shorter than the 128 random bits that the standard asks for.',
    remediation: 'Make each nonce of at least 16 random bytes, new for every response.',
  },
  csp_strict_dynamic_alone: {
    severity: 'LOW',
    description: "'strict-dynamic' stands without a nonce or hash: browsers then ignore hosts, and no script may run.",
    remediation: 'Add a nonce or hash for the scripts that load others.',
  },
  csp_strict_dynamic_misplaced: {
    severity: 'INFO',
    description: "'strict-dynamic' stands in directives that are not about scripts, where it means nothing.",
    remediation: 'Take it out there.',
  },
  csp_meta_directive_ignored: {
    severity: 'LOW',
    description: 'Directives stand in a <meta> element, where browsers ignore them.',
    remediation: 'Send frame-ancestors, report-uri and sandbox in the header.',
  },
  csp_trusted_types_invalid: {
    severity: 'LOW',
    description: "require-trusted-types-for does not name 'script', the one value that there is.",
    remediation: "Write require-trusted-types-for 'script'.",
  },
  csp_trusted_types_not_required: {
    severity: 'INFO',
    description: 'trusted-types names policies, but nothing requires that text for the DOM passes through one.',
    remediation: "Add require-trusted-types-for 'script'.",
  },
  csp_trusted_types_open: {
    severity: 'INFO',
    description: 'trusted-types lets any script make a policy of its own.',
    remediation: 'Name the policies that the site uses.',
  },
  csp_unknown_reporting_endpoint: {
    severity: 'LOW',
    description:
      'report-to names an endpoint that neither Reporting-Endpoints nor Report-To defines: no report is sent.',
    remediation: 'Define the endpoint in Reporting-Endpoints.',
  },
  csp_unquoted_keyword: {
    severity: 'LOW',
    description: 'A keyword stands without its quotes, so it is read as a host name.',
    remediation: "Write keywords in single quotes: 'self', 'none'.",
  },
  csp_none_not_alone: {
    severity: 'INFO',
    description: "'none' stands beside other sources, where it means nothing.",
    remediation: "Let 'none' stand alone, or take it out.",
  },
  csp_ip_source: {
    severity: 'INFO',
    description: 'A source is an IP address, which browsers other than on loopback do not match.',
    remediation: 'Name hosts, not addresses.',
  },
  csp_unknown_directive: {
    severity: 'INFO',
    description: 'Directives are not known.',
    remediation: 'Mend their spelling, or take them out.',
  },
  csp_duplicate_directive: {
    severity: 'INFO',
    description: 'Directives stand there more than once; only the first of each counts.',
    remediation: 'Join the sources in one directive.',
  },
  csp_deprecated_directive: {
    severity: 'INFO',
    description: 'Directives are deprecated, and no current browser needs them.',
    remediation: 'Take them out.',
  },
} as const satisfies Record<string, HeaderIssueDefinition>;
