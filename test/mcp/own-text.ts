/**
 * Fields of answers that hold no foreign text, by their names: identifiers, times, numbers as text and names of hosts that were asked
 * about, all in a checked form; words of lists in this source; sentences of ours that quote nobody; what the caller gave. A field is
 * listed once it was looked at. `Schema.field`: only there, because elsewhere a third party writes a field of this name.
 */
const IDENTIFIERS =
  'analytic_id WatchDelivery.channel_id WatchDelivery.event_ids WatchEvent.watch_id WatchCreated.channel_id WatchUpdated.channel_id attack_technique_id attack_techniques capec_id case_study_id client_ip_hash cve_id cve_ids cwe_id cwe_ids cwe_list cwes d3fend_id defense_id ghsa_id hash hash_prefix id inherited_from mitigation_id order_id parent_id queried_techniques revoked_by rule_id serial_number sha256 strategy_id subtechnique_of tactic_id technique_id technique_ids undefended uncovered unknown vulns weaknesses';
const TIMES =
  'after_date WatchDelivery.due_at WatchDelivery.delivered_at WatchEvent.kev_due Watch.from Watch.until Watch.updated_at Watch.next_examination_at Watch.last_event_at as_of at before_date created_at created_date creation_date data_time date date_added date_published deadline due_date earliest ends_at expires_at expiry_date first_date first_seen first_seen_at incident_date last_attempt_at last_reported_at last_seen last_success_at last_update last_used_at model_changed_on modified modified_date month not_after not_before published released risk_checked_at said_on score_date seen_at since timestamp updated_date withdrawn Archive.latest FollowedCatalog.published_at FollowedCatalog.catalog_created_at FollowedCatalog.checked_at';
const CHECKED_FORMS =
  'WatchCreated.secret WatchUpdated.secret Watch.time_zone country country_code cvss_breakdown.* cvss_v2_vector cvss_v4_vector dns_a dns_aaaa ip ips ipv4_prefixes ipv6_prefixes key organizational_domain found_at prefix resolved_ip selector selectors dkim_selectors signature_algorithm tested_selectors verified_selectors vector next_cursor RiskScore.version SeveritySource.version';
const OWN_WORDS =
  'WatchEvent.status WatchEvent.source WatchEvent.urgency ai_crawlers_allowed ai_crawlers_blocked all_policy archive_url at_best attack_complexity attack_vector availability_impact boosters_applied calling_code carrier categories check cloud_provider code confidentiality_impact country_name coverage disposable_provider dkim e164 endpoint falsifiable_fields first_seen_source grade header headers_missing headers_present hint integrity_impact international language lines_to_add listed_on mail_provider message missing missing_inputs missing_signals module national not_stored policy privacy_policy privileges_required problems protocol provider recommendation remedy render_framework risk_grade role_type scope source_code source_url sources sources_queried sources_unavailable spf ssl_grade stopped_because syntax_note technology timezone tool user_interaction warnings AffectedCheck.reason CodeFinding.description CodeFinding.remediation CodeFinding.type InjectionFinding.description InjectionFinding.remediation InjectionFinding.type HeaderFinding.issues HeaderFinding.reference ScanFinding.reference NextCall.reason Phone.type SourceStatus.notes SourceStatus.title Status.version Technology.category Technology.name Technology.product SupportedTechnology.category SupportedTechnology.name SupportedTechnology.product SupportedTechnology.source SupportedTechnology.vendor DependencyCheck.loaded DependencyCheck.not_loaded DependencyCheck.text HowToFix.caution HowToFix.expect HowToFix.needed HowToFix.why Technology.source Technology.vendor TechAudit.category TechAudit.name UsernameRecord.platform UsernameRecord.reason UsernameRecord.url Ssvc.source SeveritySource.source CveHistory.source Changes.source CveListItem.source AffectedCheck.source Ssl.name DomainReport.name Audit.name DomainReportBulk.name WhoisRecord.name ThreatReport.name Ioc.name IocLookupBulk.name';
/** What the caller gave, and names by which answers say what to ask next: a model copies them into a call, so they have no marks. */
const OF_THE_CALLER =
  'domain email indicator input number params.* purl query.* query_echo.* skipped_due_to_rate_limit start_url username AsnRecord.target FollowedCatalog.from HowToFix.command HowToFix.name HowToFix.url NextCall.value Phishing.host Phishing.url PrivacyData.delivers_to Watch.label Watch.name Watch.reason Watch.to Watch.url WatchedSubject.components WatchedSubject.filters.* WatchedSubject.product WatchedSubject.vendor WatchedSubject.version';

/** Names of objects: ours, or of the caller. */
const OBJECT_NAMES =
  'by_endpoint cvss_breakdown data_sources fact_sources filters params protocols query query_echo sources totals ttl'
    .split(' ')
    .map((name) => `${name}.{name}`)
    .join(' ');

export const OWN_FIELDS: ReadonlySet<string> = new Set(
  [IDENTIFIERS, TIMES, CHECKED_FORMS, OWN_WORDS, OF_THE_CALLER, OBJECT_NAMES].join(' ').split(' '),
);
