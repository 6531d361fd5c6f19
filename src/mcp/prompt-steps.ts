import type { IdentifierKind } from '../analysis/identifier-kind.ts';

export const PERSPECTIVES = ['blue', 'red'] as const;
export type Perspective = (typeof PERSPECTIVES)[number];

/** A tool call that a prompt asks for. `TARGET` in `inputHint` is replaced by the target of the prompt. */
export interface PromptStep {
  tool: string;
  inputHint: string;
  whatToCheck: string;
}

export type TriageKind = Exclude<IdentifierKind, 'ghsa'>;

const promptStep = (tool: string, input: string, look: string): PromptStep => ({
  tool,
  inputHint: input,
  whatToCheck: look,
});

const CVE_LOOKUP_STEP = promptStep(
  'cve_lookup',
  'cve_id = TARGET',
  'severity and who gave it, EPSS, known exploitation, affected products and versions, patch',
);
const KEV_STEP = promptStep(
  'kev_detail',
  'cve_id = TARGET',
  'due date, required action, ransomware use; "not found" means that it is not listed, which is an answer',
);
const WEAKNESS_STEP = promptStep(
  'cwe_lookup',
  'cwe_id = the cwe_id of the first step; pass over where it is null',
  'what goes wrong, and the mitigations',
);
const DEFENSES_STEP = promptStep(
  'd3fend_defense_for_attack',
  'attack_technique_id = the ATT&CK technique that using this flaw amounts to, such as T1190 (public-facing application), T1203 (client software), T1068 (privilege escalation), T1059 (command interpreter); say that it is your choice',
  'defenses by tactic: harden and isolate before the patch, detect and evict after an attack',
);

/** Tool calls in order, by kind of target and perspective (red: attack, blue: defense). */
export const TRIAGE_STEPS: Record<TriageKind, Record<Perspective, readonly PromptStep[]>> = {
  cve: {
    red: [
      CVE_LOOKUP_STEP,
      promptStep(
        'exploit_lookup',
        'cve_id = TARGET',
        'public exploit code, verified or not, and what could not be asked',
      ),
      KEV_STEP,
      promptStep(
        'cve_search',
        'product and vendor = those of the first step, sort = epss_desc',
        'neighbours in the same product that are more likely to be used',
      ),
    ],
    blue: [CVE_LOOKUP_STEP, KEV_STEP, WEAKNESS_STEP, DEFENSES_STEP],
  },
  atlas_technique: {
    red: [
      promptStep('atlas_technique_lookup', 'technique_id = TARGET', 'how it works, tactics, maturity'),
      promptStep('atlas_case_study_search', 'technique_id = TARGET', 'where it was done, against whom'),
      promptStep('cve_search', 'product = a product that the case studies name', 'flaws that make it possible there'),
    ],
    blue: [
      promptStep('atlas_technique_lookup', 'technique_id = TARGET', 'how it works, attack_reference_id'),
      promptStep(
        'd3fend_defense_for_attack',
        'attack_technique_id = attack_reference_id of the first step; pass over where it is null',
        'defenses by tactic',
      ),
      promptStep(
        'd3fend_attack_coverage',
        'attack_techniques = attack_reference_id of this technique and of those next to it',
        'what stays undefended',
      ),
    ],
  },
  atlas_case_study: {
    red: [
      promptStep('atlas_case_study_lookup', 'case_study_id = TARGET, include = full', 'the procedure, step by step'),
      promptStep('atlas_technique_lookup', 'technique_id = each of techniques_used', 'what the attack rests on'),
      promptStep('cve_search', 'product = a product that the case names', 'flaws that make it possible'),
    ],
    blue: [
      promptStep('atlas_case_study_lookup', 'case_study_id = TARGET', 'techniques_used, pivot_hints'),
      promptStep(
        'bulk_atlas_technique_lookup',
        'technique_ids = techniques_used',
        'tactics, attack_reference_id of each',
      ),
      promptStep(
        'd3fend_attack_coverage',
        'attack_techniques = the attack_reference_ids found',
        'what stays undefended',
      ),
    ],
  },
  attack_technique: {
    red: [
      promptStep('d3fend_defense_for_attack', 'attack_technique_id = TARGET', 'what stands in the way'),
      promptStep(
        'atlas_technique_search',
        'keyword = the name of the technique in one or two words',
        'its counterpart against AI systems',
      ),
      promptStep('cve_search', 'kev = true, sort = epss_desc, product = one in question', 'flaws that open this way'),
    ],
    blue: [
      promptStep(
        'd3fend_defense_for_attack',
        'attack_technique_id = TARGET',
        'defenses by tactic; whether they are those of the parent technique',
      ),
      promptStep(
        'd3fend_attack_coverage',
        'attack_techniques = TARGET and its sub-techniques in question',
        'what stays undefended',
      ),
    ],
  },
  d3fend: {
    red: [
      promptStep('d3fend_defense_lookup', 'defense_id = TARGET', 'which attack techniques it counters'),
      promptStep(
        'd3fend_defense_for_attack',
        'attack_technique_id = one of these',
        'what else would have to be got past',
      ),
    ],
    blue: [
      promptStep(
        'd3fend_defense_lookup',
        'defense_id = TARGET',
        'tactic, artifact, attack techniques that it counters',
      ),
      promptStep(
        'd3fend_attack_coverage',
        'attack_techniques = the techniques that matter here',
        'what it leaves undefended',
      ),
    ],
  },
  cwe: {
    red: [
      promptStep('cwe_lookup', 'cwe_id = TARGET', 'what goes wrong, observed examples, children that are more exact'),
      promptStep('cve_search', 'cwe_id = TARGET, kev = true, sort = epss_desc', 'flaws of this kind that are used'),
      promptStep('exploit_lookup', 'cve_id = the first of these', 'public exploit code'),
    ],
    blue: [
      promptStep('cwe_lookup', 'cwe_id = TARGET, include = full', 'mitigations by phase'),
      promptStep('cve_search', 'cwe_id = TARGET, sort = epss_desc', 'flaws of this kind most likely to be used'),
      promptStep(
        'd3fend_defense_search',
        'keyword = the mitigation or artifact in one or two words',
        'defenses that take the edge off it',
      ),
    ],
  },
  hash: {
    red: [
      promptStep('hash_lookup', 'file_hash = TARGET', 'malware family, file type, first seen'),
      promptStep('ioc_lookup', 'indicator = TARGET', 'which feeds list it, with what confidence'),
      promptStep(
        'threat_intel',
        'domain = a domain that the answers name; pass over where there is none',
        'what else is served from there',
      ),
    ],
    blue: [
      promptStep('hash_lookup', 'file_hash = TARGET', 'malware family, tags, first seen'),
      promptStep('ioc_lookup', 'indicator = TARGET', 'threat level and the feeds behind it'),
      promptStep('d3fend_defense_search', 'keyword = file analysis', 'how such files are found and kept out'),
    ],
  },
  ip: {
    red: [
      promptStep('ip_lookup', 'ip = TARGET', 'open ports, host names, known flaws'),
      promptStep('asn_lookup', 'target = TARGET', 'whose network it is, its prefixes'),
      promptStep('cve_lookup', 'cve_id = the worst of the flaws found', 'whether it can be used'),
    ],
    blue: [
      promptStep('threat_report', 'ip = TARGET', 'threat level, abuse reports, services'),
      promptStep('ioc_lookup', 'indicator = TARGET', 'feeds that list it'),
      promptStep('ip_lookup', 'ip = TARGET', 'datacenter, Tor exit, cloud provider: who may sit behind it'),
    ],
  },
  domain: {
    red: [
      promptStep('subdomain_enum', 'domain = TARGET', 'hosts that were not meant to be found'),
      promptStep('domain_report', 'domain = TARGET', 'DNS, mail, certificate, reputation'),
      promptStep('tech_fingerprint', 'domain = TARGET', 'software and versions'),
      promptStep('ssl_check', 'domain = TARGET', 'protocol, names in the certificate, expiry'),
      promptStep('wayback_lookup', 'domain = TARGET', 'what stood there before'),
    ],
    blue: [
      promptStep('domain_report', 'domain = TARGET', 'risk grade and its factors'),
      promptStep('threat_intel', 'domain = TARGET', 'whether malware is or was served from it'),
      promptStep('email_security_posture', 'domain = TARGET', 'SPF, DMARC, DKIM: can mail be forged in its name'),
      promptStep('contrast_scan', 'domain = TARGET', 'findings by severity, with their remedies'),
      promptStep('tech_stack_cve_audit', 'domain = TARGET', 'known flaws in what it runs'),
    ],
  },
  url: {
    red: [
      promptStep('redirect_chain', 'url = TARGET', 'where it really leads'),
      promptStep('tech_fingerprint', 'domain = the host of the last hop', 'software and versions'),
      promptStep('scan_headers', 'domain = the host of the last hop', 'protections that are missing'),
    ],
    blue: [
      promptStep('phishing_check', 'url = TARGET', 'whether it is listed as malicious'),
      promptStep('redirect_chain', 'url = TARGET', 'every hop to where it really leads'),
      promptStep('ioc_lookup', 'indicator = TARGET, then each new host of the chain', 'feeds that list it'),
      promptStep('domain_report', 'domain = the host of the last hop, lite = true', 'age and risk of the domain'),
    ],
  },
  email: {
    red: [
      promptStep('email_verify', 'email = TARGET', 'whether it can receive, role address or person'),
      promptStep('email_mx', 'domain = the part after @', 'mail provider'),
      promptStep('username_lookup', 'username = the part before @', 'where else the name is used'),
    ],
    blue: [
      promptStep('email_verify', 'email = TARGET', 'syntax, mail servers, disposable or free provider'),
      promptStep('email_disposable', 'email = TARGET', 'risk level'),
      promptStep('email_security_posture', 'domain = the part after @', 'can mail be forged in its name'),
    ],
  },
  asn: {
    red: [
      promptStep('asn_lookup', 'target = TARGET', 'name and announced prefixes'),
      promptStep('ip_lookup', 'ip = an address of interest in these prefixes', 'open ports, known flaws'),
    ],
    blue: [
      promptStep('asn_lookup', 'target = TARGET', 'name and announced prefixes'),
      promptStep(
        'threat_report',
        'ip = an address seen in your logs from these prefixes',
        'threat level, abuse reports',
      ),
    ],
  },
  uuid: {
    red: [
      promptStep('sigma_rule_lookup', 'rule_id = TARGET', 'what the rule looks at, its known false positives'),
      promptStep(
        'd3fend_defense_for_attack',
        'attack_technique_id = one of attack_techniques',
        'what else watches this technique',
      ),
    ],
    blue: [
      promptStep('sigma_rule_lookup', 'rule_id = TARGET', 'log source, detection, level, false positives'),
      promptStep(
        'd3fend_defense_for_attack',
        'attack_technique_id = one of attack_techniques',
        'defenses beside detection',
      ),
      promptStep(
        'cve_lookup',
        'cve_id = one of cve_ids; pass over where there is none',
        'the flaw that the rule is for',
      ),
    ],
  },
  cvss_vector: {
    red: [
      promptStep('get_cvss_details', 'vector = TARGET', 'what an attacker needs: network, privileges, a user'),
      promptStep('cve_search', 'product = one in question, cvss_min = base_score', 'flaws as severe as this'),
    ],
    blue: [
      promptStep('get_cvss_details', 'vector = TARGET', 'recomputed score, what is at stake'),
      promptStep('cve_search', 'product = one in question, cvss_min = base_score', 'flaws as severe as this'),
    ],
  },
};

/** Tool calls of an audit of a domain. */
export const DOMAIN_AUDIT_STEPS: readonly PromptStep[] = [
  promptStep('audit_domain', 'domain = TARGET', 'risk grade and factors, technologies, live headers'),
  promptStep('contrast_scan', 'domain = TARGET', 'findings by severity, with their remedies'),
  promptStep('email_security_posture', 'domain = TARGET', 'SPF, DMARC, DKIM: can mail be forged in its name'),
  promptStep('ssl_check', 'domain = TARGET', 'grade, protocol, expiry'),
  promptStep('tech_stack_cve_audit', 'domain = TARGET', 'known flaws in what it runs'),
  promptStep('subdomain_enum', 'domain = TARGET', 'forgotten hosts'),
  promptStep('threat_intel', 'domain = TARGET', 'whether malware is or was served from it'),
];

/** Tool calls of a check of a product for vulnerabilities. */
export const PRODUCT_CHECK_STEPS: readonly PromptStep[] = [
  promptStep(
    'cve_search',
    'product = TARGET, sort = epss_desc; where nothing is found, the name as it stands in CPE: lower case, _ for blanks',
    'how many, the most likely to be used, versions in question',
  ),
  promptStep('cve_search', 'product = TARGET, kev = true', 'those that are known to be used'),
  promptStep('calculate_risk_score', 'cve_id = each of the worst five', 'the order in which to act'),
  promptStep('kev_detail', 'cve_id = each that is known to be used', 'due date, required action'),
  promptStep('exploit_lookup', 'cve_id = the first in that order', 'public exploit code'),
  promptStep(
    'cwe_lookup',
    'cwe_id = the weakness that comes most often',
    'what to change so that it does not come back',
  ),
];
