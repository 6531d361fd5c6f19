/**
 * Fields of each answer, written down from the interface specification and the decisions that go with it, by hand:
 * what our own schemas say is judged by these lists. Paths as `missingPaths` reads them.
 */

const words = (text: string): string[] => text.trim().split(/\s+/);

/** decisions, section 1 */
export const VERDICT = words(
  `deterministic falsifiable_fields data_age_seconds sources_queried sources_unavailable completeness`,
);

const LOOKUP = ['summary', 'verdict', 'next_calls'];

/** "CVE list item", slim default */
const SLIM_ITEM = words(`
  cve_id summary severity cvss_v3 cwe_id epss epss.score epss.percentile kev kev.in_kev kev.date_added total_products
  published modified sources verdict`);
/** added by `include=full` */
export const FULL_ITEM = words(
  'title main_product required_action known_ransomware_use description cvss_breakdown affected_products references first_seen_source first_seen_at',
);

/** decisions, section 4: list envelopes */
const ENVELOPE = words('count total offset next_offset truncated query_echo results summary verdict');
const LIST = [...ENVELOPE, ...SLIM_ITEM.map((path) => `results[].${path}`)];

/** Always there, by operation id. */
export const SPECIFIED: Record<string, readonly string[]> = {
  cve_lookup: words(`
    cve_id summary description severity cvss_v3 cvss_breakdown cwe_id epss.score epss.percentile kev.in_kev kev.date_added
    affected_products published modified references total_references cvss_v2 cvss_v2_vector patch_url patch_available
    verdict next_calls`),
  calculate_risk_score: words(`
    cve_id score label urgency has_public_poc components.cvss_v3 components.epss_score components.in_kev
    components.has_public_poc components.weighted_breakdown boosters_applied recommendation summary verdict next_calls`),
  get_cvss_details: words(`
    version vector base_score base_severity metrics.attack_vector metrics.attack_complexity metrics.privileges_required
    metrics.user_interaction metrics.scope metrics.confidentiality_impact metrics.integrity_impact
    metrics.availability_impact temporal_score environmental_score summary verdict next_calls`),
  kev_detail: words(`
    cve_id in_kev vendor_project product vulnerability_name date_added due_date days_remaining required_action
    known_ransomware_use cwe_list summary verdict next_calls`),
  cwe_lookup: words(`
    cwe_id name abstraction summary description mitigations examples parent_chain child_chain related_cves_count
    total_mitigations total_examples verdict next_calls`),
  exploit_lookup: words(`
    cve_id exploits_found sources.github.found sources.github.count sources.github.advisories sources.shodan_refs.found
    sources.shodan_refs.count sources.shodan_refs.results exploits exploits[].edb_id has_public_exploit summary verdict
    next_calls`),
  bulk_cve_lookup: words(`
    results results[].cve_id results[].status results[].cve results[].error total successful failed summary
    skipped_due_to_rate_limit`),
  epss_lookup: [
    ...words('cve_id score percentile score_date model_version history history[].date history[].score'),
    'history[].percentile',
    ...LOOKUP,
  ],
  cve_search: LIST,
  cve_leading: [...LIST, 'results[].source'],
  cves_recent: LIST,
  cves_kev: LIST,
  atlas_technique_lookup: words(`
    technique_id name description tactics inherited_tactics maturity attack_reference_id attack_reference_url
    subtechnique_of created_date modified_date verdict next_calls`),
  atlas_technique_search: [
    ...ENVELOPE,
    ...words('results[].technique_id results[].name results[].tactics results[].maturity'),
  ],
  bulk_atlas_technique_lookup: words(`
    results results[].technique_id results[].status results[].technique results[].error total successful failed not_found
    summary skipped_due_to_rate_limit`),
  atlas_case_study_lookup: words(
    'case_study_id name summary target actor techniques_used references pivot_hints verdict next_calls',
  ),
  atlas_case_study_search: [...ENVELOPE, ...words('results[].case_study_id results[].name')],
  d3fend_defense_lookup: words(
    'defense_id label uri parent_label description tactic artifact attack_techniques verdict next_calls',
  ),
  d3fend_defense_search: [...ENVELOPE, ...words('results[].defense_id results[].label results[].tactic')],
  d3fend_defense_for_attack: words(`
    attack_technique_id count summary defenses defenses[].defense_id defenses[].name defenses[].tactic
    defenses[].artifact verdict next_calls`),
  d3fend_attack_coverage: words(`
    total count_by_tactic undefended summary coverage coverage[].attack_technique_id coverage[].defense_count
    coverage[].defenses`),
  sigma_rule_lookup: words(`
    rule.rule_id rule.title rule.status rule.level rule.description rule.author rule.date rule.modified rule.tags
    rule.logsource.product rule.logsource.category rule.logsource.service rule.logsource.definition
    rule.detection.selections rule.detection.condition rule.detection_summary rule.references rule.falsepositives
    rule.license rule.source_url rule.attack_techniques rule.cve_ids summary verdict next_calls`),
  sigma_search: [...ENVELOPE, ...words('results[].rule_id results[].title results[].status results[].level')],
  bulk_sigma_rule_lookup: words(
    'results results[].rule_id results[].status results[].rule results[].error total successful failed summary',
  ),
  check_secrets: words(`
    findings findings[].type findings[].severity findings[].line findings[].match findings[].description
    findings[].remediation total by_severity summary verdict next_calls`),
  check_injection: words(`
    findings findings[].type findings[].severity findings[].line findings[].match findings[].description
    findings[].remediation total by_severity summary verdict next_calls`),
  check_headers: [
    ...words('findings total by_severity score grade headers_present headers_missing'),
    ...words(
      'findings[].header findings[].severity findings[].present findings[].valid findings[].value findings[].issues',
    ),
    ...words('findings[].description findings[].remediation findings[].reference'),
    ...LOOKUP,
  ],
  check_dependencies: words(`
    findings findings[].package findings[].version findings[].cve_id findings[].severity findings[].cvss_v3
    findings[].epss_score findings[].in_kev findings[].remediation findings[].ecosystem findings[].fixed_in
    findings[].aliases total by_severity summary skipped_due_to_rate_limit verdict next_calls`),
  email_mx: [
    ...words(`domain mx_records mail_provider email_security.spf email_security.dmarc email_security.dkim_selectors`),
    ...words('email_security.dkim_status email_security.grade email_security.issues'),
    ...LOOKUP,
  ],
  email_security_posture: [
    ...words(`
      domain spf.present spf.record spf.all_policy spf.mechanisms spf.lookup_count dmarc.present dmarc.record dmarc.policy
      dmarc.subdomain_policy dmarc.pct dmarc.rua_uris dmarc.ruf_uris dkim.status dkim.verified_selectors
      dkim.tested_selectors mta_sts tls_rpt bimi posture_score posture_grade all_findings all_findings[].check
      all_findings[].status all_findings[].severity all_findings[].description all_findings[].fix_hint`),
    ...LOOKUP,
  ],
  email_disposable: [...words('email domain disposable provider mx_disposable risk_level'), ...LOOKUP],
  email_verify: [
    ...words(`
      email domain syntax_valid mx_records disposable disposable_provider role_address role_type free_provider`),
    ...LOOKUP,
  ],
  phone_lookup: [
    ...words(`
      valid number format.e164 format.international format.national country_code country_name type carrier timezone`),
    ...LOOKUP,
  ],
  dns_lookup: words(`
    domain records.a records.aaaa records.mx records.ns records.txt records.cname records.soa summary verdict next_calls`),
  whois_lookup: words(`
    domain whois.registrar whois.creation_date whois.expiry_date whois.name_servers summary verdict next_calls`),
  subdomain_enum: words('domain subdomains count summary verdict next_calls'),
  certs_lookup: words(`
    domain total_certificates certificates certificates[].issuer certificates[].not_before certificates[].not_after
    certificates[].common_name summary verdict next_calls`),
  wayback_lookup: words(`
    domain status first_seen last_seen years_online snapshots archive_url summary warnings verdict next_calls`),
  threat_intel: [...words('domain urlhaus_status urls_online url_count threat_types tags urls'), ...LOOKUP],
  ip_lookup: [
    ...words(`
      ip ptr ports hostnames vulns cpes tags asn asn_name country cloud_provider is_datacenter tor_exit severity_label
      risk_score reputation.firehol reputation.abuseipdb reputation.shodan`),
    ...LOOKUP,
  ],
  threat_report: [
    ...words(`
      ip enrichment.ports enrichment.hostnames enrichment.vulns enrichment.cpes enrichment.tags abuseipdb shodan asn.asn
      asn.prefix threat_level`),
    ...LOOKUP,
  ],
  asn_lookup: [
    ...words('target resolved_ip asn asn_name ipv4_prefixes ipv6_prefixes ipv4_count ipv6_count'),
    ...LOOKUP,
  ],
  ioc_lookup: [...words('indicator type threat_level sources.threatfox sources.feodo sources.urlhaus'), ...LOOKUP],
  hash_lookup: [
    ...words('hash hash_type found malware_family file_type file_size first_seen tags file_name'),
    ...LOOKUP,
  ],
  password_check: [...words('hash_prefix found breach_count'), ...LOOKUP],
  phishing_check: [
    ...words(`
      url host is_malicious urlhaus_host.found urlhaus_host.urls_online urlhaus_host.url_count urlhaus_url.found
      urlhaus_url.threat urlhaus_url.tags threat_level`),
    ...LOOKUP,
  ],
  bulk_ioc_lookup: words(`
    results results[].indicator results[].status results[].ioc results[].error total successful failed timed_out partial
    summary`),
  username_lookup: [
    ...words(`
      username found_count checked_count results results[].platform results[].url results[].status
      verdict.sources_queried verdict.sources_unavailable verdict.completeness`),
    ...LOOKUP,
  ],
  domain_report: [
    ...words(`
      domain dns.a dns.aaaa dns.mx dns.ns dns.txt dns.cname dns.soa dns.total_txt_records reverse_dns whois ssl email_security
      subdomains certificates waf threat risk.score risk.grade risk.factors`),
    ...LOOKUP,
  ],
  audit_domain: [
    ...words(`
      domain report report.dns.txt report.dns.total_txt_records technologies.technologies technologies.categories
      technologies.count technologies.summary live_headers`),
    ...LOOKUP,
  ],
  domains_bulk: words(`
    results results[].domain results[].status results[].report results[].error total successful failed timed_out partial
    summary skipped_due_to_rate_limit`),
  domain_monitor: [
    ...words(`
      domain is_up dns_a dns_changed ssl_valid ssl_grade ssl_days_remaining risk_score risk_grade risk_checked_at`),
    'summary',
  ],
  ssl_check: [
    ...words(`
      domain valid issuer subject not_before not_after days_remaining san protocol cipher.name cipher.bits chain grade`),
    ...LOOKUP,
  ],
  robots_txt: [...words('domain fetched_url status_code sitemaps user_agents host truncated'), ...LOOKUP],
  contrast_scan: [
    ...words(`
      domain resolved_ip total_score max_score grade findings findings[].id findings[].module findings[].severity
      findings[].title findings[].description findings[].remediation findings[].reference findings[].evidence
      findings_count.critical findings_count.high findings_count.medium findings_count.low`),
    ...words('headers ssl dns redirect disclosure cookies dnssec methods cors html csp_analysis').flatMap((module) => [
      `${module}.score`,
      `${module}.max`,
      `${module}.details`,
    ]),
    ...LOOKUP,
  ],
  scan_headers: [
    ...words('domain status_code url score grade findings headers_present headers_missing'),
    ...words(
      'findings[].header findings[].severity findings[].present findings[].valid findings[].value findings[].issues',
    ),
    ...words('findings[].description findings[].remediation findings[].reference'),
    ...LOOKUP,
  ],
  redirect_chain: [
    ...words(`
      start_url final_url hops hops[].url hops[].status_code hops[].location hops[].latency_ms hop_count final_status
      loop_detected truncated`),
    ...LOOKUP,
  ],
  brand_assets: [
    ...words(`
      domain fetched_url status_code favicon_url_untrusted og_image_url_untrusted theme_color site_name_untrusted
      logo_url_untrusted cache_respected`),
    ...LOOKUP,
  ],
  seo_audit: [
    ...words(`
      domain fetched_url status_code title_untrusted meta_description_untrusted canonical_url h1_untrusted h1_count h2_count
      h3_count images_total images_missing_alt internal_link_count external_link_count og_tags json_ld_present score
      missing_signals cache_respected`),
    ...LOOKUP,
  ],
  geo_audit: [
    ...words(`
      domain fetched_url status_code llms_txt_present ai_crawlers_total ai_crawlers_allowed ai_crawlers_blocked schema_types
      client_side_rendered render_framework has_canonical og_tag_count sitemap_count h1_count h2_count comparison_content
      score missing_signals cache_respected`),
    ...LOOKUP,
  ],
  tech_fingerprint: [
    ...words('domain technologies technologies[].name technologies[].category technologies[].source'),
    ...words('technologies[].version categories count'),
    ...LOOKUP,
  ],
  domain_vulns: [
    ...words(`
      domain technologies_scanned total_cves vulnerabilities vulnerabilities[].technology vulnerabilities[].version
      vulnerabilities[].cve_count vulnerabilities[].cves vulnerabilities[].cves[].cve_id
      vulnerabilities[].cves[].severity vulnerabilities[].cves[].cvss_v3 vulnerabilities[].cves[].epss_score
      vulnerabilities[].cves[].in_kev`),
    ...LOOKUP,
  ],
  tech_stack_cve_audit: [...words('domain technologies total_cves vulnerabilities'), ...LOOKUP],
  status: words('status version uptime_seconds data_sources summary'),
  usage: words(`
    total_requests last_24h last_1h hourly_limit hourly_remaining hourly_reset_seconds top_endpoints
    top_endpoints[].endpoint top_endpoints[].count`),
  privacy_my_data: words(`
    tier rate_limit client_ip_hash api_key_record usage_last_24h.total_requests usage_last_24h.by_endpoint not_stored
    source_code privacy_policy`),
};

/** One source in the status record. */
export const SOURCE_STATUS = words('status records last_success_at age_seconds last_error');

/** Fields that appear only when asked for: operation id, query, the fields. */
export const OPTIONAL: readonly { id: string; parameter: string; fields: readonly string[] }[] = [
  { id: 'cve_lookup', parameter: 'include_reference_tags=true', fields: ['references_full'] },
  {
    id: 'cve_lookup',
    parameter: 'include_severity_breakdown=true',
    fields: ['severity_sources', 'severity_consensus', 'severity_disagreement'],
  },
  { id: 'cwe_lookup', parameter: 'include=full', fields: ['extended_description'] },
];

/** Tokens for one call (specification, Limits; decisions, section 3). Bulk: 1 per item. */
export const COSTS: Record<string, number> = {
  status: 0,
  privacy_my_data: 0,
  threat_report: 6,
  audit_domain: 6,
  contrast_scan: 6,
  domain_vulns: 4,
  tech_stack_cve_audit: 10,
};

/** decisions, section 5: all 55 */
export const TOOL_NAMES: ReadonlySet<string> = new Set(
  words(`
    domain_report audit_domain contrast_scan tech_stack_cve_audit threat_report dns_lookup whois_lookup ssl_check
    subdomain_enum tech_fingerprint threat_intel wayback_lookup scan_headers email_mx email_security_posture
    email_disposable email_verify robots_txt redirect_chain brand_assets seo_audit geo_audit phone_lookup ip_lookup
    asn_lookup cve_lookup calculate_risk_score get_cvss_details cve_search cve_leading exploit_lookup bulk_cve_lookup
    kev_detail cwe_lookup atlas_technique_lookup bulk_atlas_technique_lookup atlas_technique_search
    atlas_case_study_lookup atlas_case_study_search d3fend_defense_lookup d3fend_defense_search
    d3fend_defense_for_attack d3fend_attack_coverage sigma_rule_lookup bulk_sigma_rule_lookup ioc_lookup hash_lookup
    password_check phishing_check bulk_ioc_lookup check_secrets check_injection check_dependencies check_headers
    username_lookup`),
);

/** decisions, section 5: tools of newer operations. */
export const NEWER_TOOL_NAMES: ReadonlySet<string> = new Set(
  words(
    'advisory_lookup affected_check attack_coverage attack_technique_lookup attack_technique_search cve_detection sigma_search epss_history epss_risers cve_history changes',
  ),
);

/** Operations that stay REST only (decisions, section 5). */
export const WITHOUT_TOOL: ReadonlySet<string> = new Set([
  'attack_matrix',
  'certs_lookup',
  'domain_vulns',
  'domain_monitor',
  'domains_bulk',
  'cves_recent',
  'cves_kev',
  'epss_lookup',
  'status',
  'usage',
  'privacy_my_data',
]);

/** The routes of this area (specification, Endpoints: CVE intelligence, Operations), method and path. */
export const ROUTES: ReadonlySet<string> = new Set([
  'GET /v1/cve/{cve_id}',
  'GET /v1/cve/{cve_id}/risk_score',
  'GET /v1/cvss/details',
  'GET /v1/cves',
  'GET /v1/cve/leading',
  'GET /v1/exploit/{cve_id}',
  'GET /v1/kev/{cve_id}',
  'GET /v1/cwe/{cwe_id}',
  'POST /v1/cves/bulk',
  'GET /v1/cves/recent',
  'GET /v1/cves/kev',
  'GET /v1/epss/{cve_id}',
  'GET /v1/atlas/{technique_id}',
  'GET /v1/atlas/techniques',
  'POST /v1/atlas/techniques/bulk',
  'GET /v1/atlas/case-studies/{case_study_id}',
  'GET /v1/atlas/case-studies',
  'GET /v1/d3fend/{defense_id}',
  'GET /v1/d3fend/defenses',
  'GET /v1/d3fend/attack/{attack_technique_id}',
  'POST /v1/d3fend/coverage',
  'GET /v1/sigma/{rule_id}',
  'GET /v1/sigma/search',
  'POST /v1/sigma/bulk',
  'POST /v1/check/secrets',
  'POST /v1/check/injection',
  'POST /v1/check/headers',
  'POST /v1/check/dependencies',
  'GET /v1/email/mx/{domain}',
  'GET /v1/email/security-posture/{domain}',
  'GET /v1/email/disposable/{email}',
  'GET /v1/email/verify/{email}',
  'GET /v1/phone/{number}',
  'GET /v1/dns/{domain}',
  'GET /v1/whois/{domain}',
  'GET /v1/subdomains/{domain}',
  'GET /v1/certs/{domain}',
  'GET /v1/archive/{domain}',
  'GET /v1/threat/{domain}',
  'GET /v1/ip/{ip}',
  'GET /v1/threat-report/{ip}',
  'GET /v1/asn/{target}',
  'GET /v1/ioc/{indicator}',
  'GET /v1/hash/{file_hash}',
  'GET /v1/password/{sha1_hash}',
  'GET /v1/phishing/{url}',
  'POST /v1/iocs/bulk',
  'GET /v1/username/{username}',
  'GET /v1/domain/{domain}',
  'GET /v1/audit/{domain}',
  'POST /v1/domains/bulk',
  'GET /v1/monitor/{domain}',
  'GET /v1/ssl/{domain}',
  'GET /v1/scan/{domain}',
  'GET /v1/scan/headers/{domain}',
  'GET /v1/robots/{domain}',
  'GET /v1/redirect/{url}',
  'GET /v1/brand/{domain}',
  'GET /v1/seo/{domain}',
  'GET /v1/geo/{domain}',
  'GET /v1/tech/{domain}',
  'GET /v1/domain/{domain}/vulns',
  'GET /v1/status',
  'GET /v1/usage',
  'GET /v1/privacy/my-data',
]);
