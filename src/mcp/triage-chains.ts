import type { IdentifierKind } from '../analysis/identifier-kind.ts';

export const PERSPECTIVES = ['blue', 'red'] as const;
export type Perspective = (typeof PERSPECTIVES)[number];

/** A call to make. In `input`, `TARGET` stands for what the user named. */
export interface Step {
  tool: string;
  input: string;
  look: string;
}

export type TriageKind = Exclude<IdentifierKind, 'ghsa'>;

const step = (tool: string, input: string, look: string): Step => ({ tool, input, look });

const CVE_FIRST = step(
  'cve_lookup',
  'cve_id = TARGET',
  'severity and who gave it, EPSS, known exploitation, affected products and versions, patch',
);
const KEV = step(
  'kev_detail',
  'cve_id = TARGET',
  'due date, required action, ransomware use; "not found" means that it is not listed, which is an answer',
);
const WEAKNESS = step(
  'cwe_lookup',
  'cwe_id = the cwe_id of the first step; pass over where it is null',
  'what goes wrong, and the mitigations',
);
const DEFENSES_OF_A_FLAW = step(
  'd3fend_defense_for_attack',
  'attack_technique_id = the ATT&CK technique that using this flaw amounts to, such as T1190 (public-facing application), T1203 (client software), T1068 (privilege escalation), T1059 (command interpreter); say that it is your choice',
  'defenses by tactic: harden and isolate before the patch, detect and evict after an attack',
);

/** What to ask in turn, by the kind of target and the side from which one looks. */
export const TRIAGE: Record<TriageKind, Record<Perspective, readonly Step[]>> = {
  cve: {
    red: [
      CVE_FIRST,
      step('exploit_lookup', 'cve_id = TARGET', 'public exploit code, verified or not, and what could not be asked'),
      KEV,
      step(
        'cve_search',
        'product and vendor = those of the first step, sort = epss_desc',
        'neighbours in the same product that are more likely to be used',
      ),
    ],
    blue: [CVE_FIRST, KEV, WEAKNESS, DEFENSES_OF_A_FLAW],
  },
  atlas_technique: {
    red: [
      step('atlas_technique_lookup', 'technique_id = TARGET', 'how it works, tactics, maturity'),
      step('atlas_case_study_search', 'technique_id = TARGET', 'where it was done, against whom'),
      step('cve_search', 'product = a product that the case studies name', 'flaws that make it possible there'),
    ],
    blue: [
      step('atlas_technique_lookup', 'technique_id = TARGET', 'how it works, attack_reference_id'),
      step(
        'd3fend_defense_for_attack',
        'attack_technique_id = attack_reference_id of the first step; pass over where it is null',
        'defenses by tactic',
      ),
      step(
        'd3fend_attack_coverage',
        'attack_techniques = attack_reference_id of this technique and of those next to it',
        'what stays undefended',
      ),
    ],
  },
  atlas_case_study: {
    red: [
      step('atlas_case_study_lookup', 'case_study_id = TARGET, include = full', 'the procedure, step by step'),
      step('atlas_technique_lookup', 'technique_id = each of techniques_used', 'what the attack rests on'),
      step('cve_search', 'product = a product that the case names', 'flaws that make it possible'),
    ],
    blue: [
      step('atlas_case_study_lookup', 'case_study_id = TARGET', 'techniques_used, pivot_hints'),
      step('bulk_atlas_technique_lookup', 'technique_ids = techniques_used', 'tactics, attack_reference_id of each'),
      step('d3fend_attack_coverage', 'attack_techniques = the attack_reference_ids found', 'what stays undefended'),
    ],
  },
  attack_technique: {
    red: [
      step('d3fend_defense_for_attack', 'attack_technique_id = TARGET', 'what stands in the way'),
      step(
        'atlas_technique_search',
        'keyword = the name of the technique in one or two words',
        'its counterpart against AI systems',
      ),
      step('cve_search', 'kev = true, sort = epss_desc, product = one in question', 'flaws that open this way'),
    ],
    blue: [
      step(
        'd3fend_defense_for_attack',
        'attack_technique_id = TARGET',
        'defenses by tactic; whether they are those of the parent technique',
      ),
      step(
        'd3fend_attack_coverage',
        'attack_techniques = TARGET and its sub-techniques in question',
        'what stays undefended',
      ),
    ],
  },
  d3fend: {
    red: [
      step('d3fend_defense_lookup', 'defense_id = TARGET', 'which attack techniques it counters'),
      step('d3fend_defense_for_attack', 'attack_technique_id = one of these', 'what else would have to be got past'),
    ],
    blue: [
      step('d3fend_defense_lookup', 'defense_id = TARGET', 'tactic, artifact, attack techniques that it counters'),
      step(
        'd3fend_attack_coverage',
        'attack_techniques = the techniques that matter here',
        'what it leaves undefended',
      ),
    ],
  },
  cwe: {
    red: [
      step('cwe_lookup', 'cwe_id = TARGET', 'what goes wrong, observed examples, children that are more exact'),
      step('cve_search', 'cwe_id = TARGET, kev = true, sort = epss_desc', 'flaws of this kind that are used'),
      step('exploit_lookup', 'cve_id = the first of these', 'public exploit code'),
    ],
    blue: [
      step('cwe_lookup', 'cwe_id = TARGET, include = full', 'mitigations by phase'),
      step('cve_search', 'cwe_id = TARGET, sort = epss_desc', 'flaws of this kind most likely to be used'),
      step(
        'd3fend_defense_search',
        'keyword = the mitigation or artifact in one or two words',
        'defenses that take the edge off it',
      ),
    ],
  },
  hash: {
    red: [
      step('hash_lookup', 'file_hash = TARGET', 'malware family, file type, first seen'),
      step('ioc_lookup', 'indicator = TARGET', 'which feeds list it, with what confidence'),
      step(
        'threat_intel',
        'domain = a domain that the answers name; pass over where there is none',
        'what else is served from there',
      ),
    ],
    blue: [
      step('hash_lookup', 'file_hash = TARGET', 'malware family, tags, first seen'),
      step('ioc_lookup', 'indicator = TARGET', 'threat level and the feeds behind it'),
      step('d3fend_defense_search', 'keyword = file analysis', 'how such files are found and kept out'),
    ],
  },
  ip: {
    red: [
      step('ip_lookup', 'ip = TARGET', 'open ports, host names, known flaws'),
      step('asn_lookup', 'target = TARGET', 'whose network it is, its prefixes'),
      step('cve_lookup', 'cve_id = the worst of the flaws found', 'whether it can be used'),
    ],
    blue: [
      step('threat_report', 'ip = TARGET', 'threat level, abuse reports, services'),
      step('ioc_lookup', 'indicator = TARGET', 'feeds that list it'),
      step('ip_lookup', 'ip = TARGET', 'datacenter, Tor exit, cloud provider: who may sit behind it'),
    ],
  },
  domain: {
    red: [
      step('subdomain_enum', 'domain = TARGET', 'hosts that were not meant to be found'),
      step('domain_report', 'domain = TARGET', 'DNS, mail, certificate, reputation'),
      step('tech_fingerprint', 'domain = TARGET', 'software and versions'),
      step('ssl_check', 'domain = TARGET', 'protocol, names in the certificate, expiry'),
      step('wayback_lookup', 'domain = TARGET', 'what stood there before'),
    ],
    blue: [
      step('domain_report', 'domain = TARGET', 'risk grade and its factors'),
      step('threat_intel', 'domain = TARGET', 'whether malware is or was served from it'),
      step('email_security_posture', 'domain = TARGET', 'SPF, DMARC, DKIM: can mail be forged in its name'),
      step('contrast_scan', 'domain = TARGET', 'findings by severity, with their remedies'),
      step('tech_stack_cve_audit', 'domain = TARGET', 'known flaws in what it runs'),
    ],
  },
  url: {
    red: [
      step('redirect_chain', 'url = TARGET', 'where it really leads'),
      step('tech_fingerprint', 'domain = the host of the last hop', 'software and versions'),
      step('scan_headers', 'domain = the host of the last hop', 'protections that are missing'),
    ],
    blue: [
      step('phishing_check', 'url = TARGET', 'whether it is listed as malicious'),
      step('redirect_chain', 'url = TARGET', 'every hop to where it really leads'),
      step('ioc_lookup', 'indicator = TARGET, then each new host of the chain', 'feeds that list it'),
      step('domain_report', 'domain = the host of the last hop, lite = true', 'age and risk of the domain'),
    ],
  },
  email: {
    red: [
      step('email_verify', 'email = TARGET', 'whether it can receive, role address or person'),
      step('email_mx', 'domain = the part after @', 'mail provider'),
      step('username_lookup', 'username = the part before @', 'where else the name is used'),
    ],
    blue: [
      step('email_verify', 'email = TARGET', 'syntax, mail servers, disposable or free provider'),
      step('email_disposable', 'email = TARGET', 'risk level'),
      step('email_security_posture', 'domain = the part after @', 'can mail be forged in its name'),
    ],
  },
  asn: {
    red: [
      step('asn_lookup', 'target = TARGET', 'name and announced prefixes'),
      step('ip_lookup', 'ip = an address of interest in these prefixes', 'open ports, known flaws'),
    ],
    blue: [
      step('asn_lookup', 'target = TARGET', 'name and announced prefixes'),
      step('threat_report', 'ip = an address seen in your logs from these prefixes', 'threat level, abuse reports'),
    ],
  },
  uuid: {
    red: [
      step('sigma_rule_lookup', 'rule_id = TARGET', 'what the rule looks at, its known false positives'),
      step(
        'd3fend_defense_for_attack',
        'attack_technique_id = one of attack_techniques',
        'what else watches this technique',
      ),
    ],
    blue: [
      step('sigma_rule_lookup', 'rule_id = TARGET', 'log source, detection, level, false positives'),
      step('d3fend_defense_for_attack', 'attack_technique_id = one of attack_techniques', 'defenses beside detection'),
      step('cve_lookup', 'cve_id = one of cve_ids; pass over where there is none', 'the flaw that the rule is for'),
    ],
  },
  cvss_vector: {
    red: [
      step('get_cvss_details', 'vector = TARGET', 'what an attacker needs: network, privileges, a user'),
      step('cve_search', 'product = one in question, cvss_min = base_score', 'flaws as severe as this'),
    ],
    blue: [
      step('get_cvss_details', 'vector = TARGET', 'recomputed score, what is at stake'),
      step('cve_search', 'product = one in question, cvss_min = base_score', 'flaws as severe as this'),
    ],
  },
};

/** What to ask in turn for an audit of a domain that one answers for. */
export const SECURITY_AUDIT: readonly Step[] = [
  step('audit_domain', 'domain = TARGET', 'risk grade and factors, technologies, live headers'),
  step('contrast_scan', 'domain = TARGET', 'findings by severity, with their remedies'),
  step('email_security_posture', 'domain = TARGET', 'SPF, DMARC, DKIM: can mail be forged in its name'),
  step('ssl_check', 'domain = TARGET', 'grade, protocol, expiry'),
  step('tech_stack_cve_audit', 'domain = TARGET', 'known flaws in what it runs'),
  step('subdomain_enum', 'domain = TARGET', 'forgotten hosts'),
  step('threat_intel', 'domain = TARGET', 'whether malware is or was served from it'),
];

/** What to ask in turn about a product in use. */
export const VULNERABILITY_CHECK: readonly Step[] = [
  step(
    'cve_search',
    'product = TARGET, sort = epss_desc; where nothing is found, the name as it stands in CPE: lower case, _ for blanks',
    'how many, the most likely to be used, versions in question',
  ),
  step('cve_search', 'product = TARGET, kev = true', 'those that are known to be used'),
  step('calculate_risk_score', 'cve_id = each of the worst five', 'the order in which to act'),
  step('kev_detail', 'cve_id = each that is known to be used', 'due date, required action'),
  step('exploit_lookup', 'cve_id = the first in that order', 'public exploit code'),
  step('cwe_lookup', 'cwe_id = the weakness that comes most often', 'what to change so that it does not come back'),
];
