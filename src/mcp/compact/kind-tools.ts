import type { TextKind } from '../../analysis/recognize-text.ts';

/** A tool that takes an identifier, and the input field for it. */
export interface KindTool {
  tool: string;
  field: string;
}

const take = (field: string, ...tools: string[]): KindTool[] => tools.map((tool) => ({ tool, field }));

/** The tools that take one identifier of a kind, the usual one first. */
export const TOOLS_FOR_ONE: Readonly<Record<Exclude<TextKind, 'words'>, readonly KindTool[]>> = {
  cve: take(
    'cve_id',
    'cve_lookup',
    'calculate_risk_score',
    'exploit_lookup',
    'kev_detail',
    'cve_detection',
    'epss_history',
    'cve_history',
  ),
  cwe: take('cwe_id', 'cwe_lookup', 'cve_search'),
  ghsa: take('ghsa_id', 'advisory_lookup'),
  atlas_technique: take('technique_id', 'atlas_technique_lookup', 'atlas_case_study_search'),
  atlas_case_study: take('case_study_id', 'atlas_case_study_lookup'),
  attack_technique: [
    ...take('technique_id', 'attack_technique_lookup'),
    ...take('attack_technique_id', 'd3fend_defense_for_attack'),
    ...take('technique', 'sigma_search'),
  ],
  d3fend: take('defense_id', 'd3fend_defense_lookup'),
  cvss_vector: take('vector', 'get_cvss_details'),
  asn: take('target', 'asn_lookup'),
  hash: [
    ...take('file_hash', 'hash_lookup'),
    ...take('indicator', 'ioc_lookup'),
    ...take('sha1_hash', 'password_check'),
  ],
  uuid: take('rule_id', 'sigma_rule_lookup'),
  ip: [
    ...take('ip', 'ip_lookup', 'threat_report'),
    ...take('indicator', 'ioc_lookup'),
    ...take('target', 'asn_lookup'),
  ],
  email: take('email', 'email_verify', 'email_disposable'),
  url: [...take('url', 'phishing_check', 'redirect_chain'), ...take('indicator', 'ioc_lookup')],
  domain: [
    ...take('domain', 'domain_report'),
    ...take('indicator', 'ioc_lookup'),
    ...take('domain', 'dns_lookup', 'whois_lookup', 'audit_domain', 'contrast_scan', 'ssl_check', 'subdomain_enum'),
    ...take('domain', 'email_security_posture', 'email_mx', 'threat_intel', 'scan_headers', 'tech_fingerprint'),
    ...take('domain', 'tech_stack_cve_audit', 'wayback_lookup', 'robots_txt', 'brand_assets', 'seo_audit', 'geo_audit'),
  ],
  purl: [...take('packages', 'check_dependencies'), ...take('purl', 'affected_check')],
  package: take('packages', 'check_dependencies'),
  phone: take('number', 'phone_lookup'),
  cpe: take('cpe', 'affected_check'),
};

const PACKAGES = take('packages', 'check_dependencies');
const INDICATORS = take('indicators', 'bulk_ioc_lookup');

/** The tools that take several of a kind at once, in a list. Indicators of several kinds go together. */
export const TOOLS_FOR_MANY: Partial<Record<TextKind, readonly KindTool[]>> = {
  cve: take('cve_ids', 'bulk_cve_lookup'),
  atlas_technique: take('technique_ids', 'bulk_atlas_technique_lookup'),
  attack_technique: [...take('techniques', 'attack_coverage'), ...take('attack_techniques', 'd3fend_attack_coverage')],
  uuid: take('rule_ids', 'bulk_sigma_rule_lookup'),
  purl: PACKAGES,
  package: PACKAGES,
  ip: INDICATORS,
  domain: INDICATORS,
  url: INDICATORS,
  hash: INDICATORS,
};
