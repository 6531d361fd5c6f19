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
  'description cvss_breakdown affected_products references first_seen_source first_seen_at',
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
export const COSTS: Record<string, number> = { status: 0, privacy_my_data: 0 };

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

/** Operations that stay REST only (decisions, section 5). */
export const WITHOUT_TOOL: ReadonlySet<string> = new Set([
  'cves_recent',
  'cves_kev',
  'sigma_search',
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
  'GET /v1/status',
  'GET /v1/usage',
  'GET /v1/privacy/my-data',
]);
