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

/** Tool calls in order, by kind of target and perspective (red: attack, blue: defense). */
export const TRIAGE_STEPS: Record<TriageKind, Record<Perspective, readonly PromptStep[]>> = {
  cve: {
    red: parseSteps(`
      cve_lookup | cve_id = TARGET | severity and who gave it, EPSS, known exploitation, affected products and versions, patch
      exploit_lookup | cve_id = TARGET | public exploit code, verified or not, and what could not be asked
      kev_detail | cve_id = TARGET | due date, required action, ransomware use; "not found" means that it is not listed, which is an answer
      cve_search | product and vendor = those of the first step, sort = epss_desc | neighbours in the same product that are more likely to be used`),
    blue: parseSteps(`
      cve_lookup | cve_id = TARGET | severity and who gave it, EPSS, known exploitation, affected products and versions, patch
      kev_detail | cve_id = TARGET | due date, required action, ransomware use; "not found" means that it is not listed, which is an answer
      cwe_lookup | cwe_id = the cwe_id of the first step; skip this step if it is null | what goes wrong, and the mitigations
      d3fend_defense_for_attack | attack_technique_id = the ATT&CK technique that using this flaw amounts to, such as T1190 (public-facing application), T1203 (client software), T1068 (privilege escalation), T1059 (command interpreter); say that it is your choice | defenses by tactic: harden and isolate before the patch, detect and evict after an attack`),
  },
  atlas_technique: {
    red: parseSteps(`
      atlas_technique_lookup | technique_id = TARGET | how it works, tactics, maturity
      atlas_case_study_search | technique_id = TARGET | where it was done, against whom
      cve_search | product = a product that the case studies name | flaws that make it possible there`),
    blue: parseSteps(`
      atlas_technique_lookup | technique_id = TARGET | how it works, attack_reference_id
      d3fend_defense_for_attack | attack_technique_id = attack_reference_id of the first step; skip this step if it is null | defenses by tactic
      d3fend_attack_coverage | attack_techniques = attack_reference_id of this technique and of those next to it | what stays undefended`),
  },
  atlas_case_study: {
    red: parseSteps(`
      atlas_case_study_lookup | case_study_id = TARGET, include = full | the procedure, step by step
      atlas_technique_lookup | technique_id = each of techniques_used | what the attack rests on
      cve_search | product = a product that the case names | flaws that make it possible`),
    blue: parseSteps(`
      atlas_case_study_lookup | case_study_id = TARGET | techniques_used, pivot_hints
      bulk_atlas_technique_lookup | technique_ids = techniques_used | tactics, attack_reference_id of each
      d3fend_attack_coverage | attack_techniques = the attack_reference_ids found | what stays undefended`),
  },
  attack_technique: {
    red: parseSteps(`
      d3fend_defense_for_attack | attack_technique_id = TARGET | what stands in the way
      atlas_technique_search | keyword = the name of the technique in one or two words | its counterpart against AI systems
      cve_search | kev = true, sort = epss_desc, product = one in question | flaws that open this way`),
    blue: parseSteps(`
      d3fend_defense_for_attack | attack_technique_id = TARGET | defenses by tactic; whether they are those of the parent technique
      d3fend_attack_coverage | attack_techniques = TARGET and its sub-techniques in question | what stays undefended`),
  },
  d3fend: {
    red: parseSteps(`
      d3fend_defense_lookup | defense_id = TARGET | which attack techniques it counters
      d3fend_defense_for_attack | attack_technique_id = one of these | what else would have to be got past`),
    blue: parseSteps(`
      d3fend_defense_lookup | defense_id = TARGET | tactic, artifact, attack techniques that it counters
      d3fend_attack_coverage | attack_techniques = the techniques that matter here | what it leaves undefended`),
  },
  cwe: {
    red: parseSteps(`
      cwe_lookup | cwe_id = TARGET | what goes wrong, observed examples, children that are more exact
      cve_search | cwe_id = TARGET, kev = true, sort = epss_desc | flaws of this kind that are used
      exploit_lookup | cve_id = the first of these | public exploit code`),
    blue: parseSteps(`
      cwe_lookup | cwe_id = TARGET, include = full | mitigations by phase
      cve_search | cwe_id = TARGET, sort = epss_desc | flaws of this kind most likely to be used
      d3fend_defense_search | keyword = the mitigation or artifact in one or two words | defenses that take the edge off it`),
  },
  hash: {
    red: parseSteps(`
      hash_lookup | file_hash = TARGET | malware family, file type, first seen
      ioc_lookup | indicator = TARGET | which feeds list it, with what confidence
      threat_intel | domain = a domain that the answers name; skip this step if they name none | what else is served from there`),
    blue: parseSteps(`
      hash_lookup | file_hash = TARGET | malware family, tags, first seen
      ioc_lookup | indicator = TARGET | threat level and the feeds behind it
      d3fend_defense_search | keyword = file analysis | how such files are found and kept out`),
  },
  ip: {
    red: parseSteps(`
      ip_lookup | ip = TARGET | open ports, host names, known flaws
      asn_lookup | target = TARGET | whose network it is, its prefixes
      cve_lookup | cve_id = the worst of the flaws found | whether it can be used`),
    blue: parseSteps(`
      threat_report | ip = TARGET | threat level, abuse reports, services
      ioc_lookup | indicator = TARGET | feeds that list it
      ip_lookup | ip = TARGET | datacenter, Tor exit, cloud provider: who may sit behind it`),
  },
  domain: {
    red: parseSteps(`
      subdomain_enum | domain = TARGET | hosts that were not meant to be found
      domain_report | domain = TARGET | DNS, mail, certificate, reputation
      tech_fingerprint | domain = TARGET | software and versions
      ssl_check | domain = TARGET | protocol, names in the certificate, expiry
      wayback_lookup | domain = TARGET | what stood there before`),
    blue: parseSteps(`
      domain_report | domain = TARGET | risk grade and its factors
      threat_intel | domain = TARGET | whether malware is or was served from it
      email_security_posture | domain = TARGET | SPF, DMARC, DKIM: can mail be forged in its name
      contrast_scan | domain = TARGET | findings by severity, with their remedies
      tech_stack_cve_audit | domain = TARGET | known flaws in what it runs`),
  },
  url: {
    red: parseSteps(`
      redirect_chain | url = TARGET | where it really leads
      tech_fingerprint | domain = the host of the last hop | software and versions
      scan_headers | domain = the host of the last hop | protections that are missing`),
    blue: parseSteps(`
      phishing_check | url = TARGET | whether it is listed as malicious
      redirect_chain | url = TARGET | every hop to where it really leads
      ioc_lookup | indicator = TARGET, then each new host of the chain | feeds that list it
      domain_report | domain = the host of the last hop, lite = true | age and risk of the domain`),
  },
  email: {
    red: parseSteps(`
      email_verify | email = TARGET | whether it can receive, role address or person
      email_mx | domain = the part after @ | mail provider
      username_lookup | username = the part before @ | where else the name is used`),
    blue: parseSteps(`
      email_verify | email = TARGET | syntax, mail servers, disposable or free provider
      email_disposable | email = TARGET | risk level
      email_security_posture | domain = the part after @ | can mail be forged in its name`),
  },
  asn: {
    red: parseSteps(`
      asn_lookup | target = TARGET | name and announced prefixes
      ip_lookup | ip = an address of interest in these prefixes | open ports, known flaws`),
    blue: parseSteps(`
      asn_lookup | target = TARGET | name and announced prefixes
      threat_report | ip = an address seen in your logs from these prefixes | threat level, abuse reports`),
  },
  uuid: {
    red: parseSteps(`
      sigma_rule_lookup | rule_id = TARGET | what the rule looks at, its known false positives
      d3fend_defense_for_attack | attack_technique_id = one of attack_techniques | what else watches this technique`),
    blue: parseSteps(`
      sigma_rule_lookup | rule_id = TARGET | log source, detection, level, false positives
      d3fend_defense_for_attack | attack_technique_id = one of attack_techniques | defenses beside detection
      cve_lookup | cve_id = one of cve_ids; skip this step if the list is empty | the flaw that the rule is for`),
  },
  cvss_vector: {
    red: parseSteps(`
      get_cvss_details | vector = TARGET | what an attacker needs: network, privileges, a user
      cve_search | product = one in question, cvss_min = base_score | flaws as severe as this`),
    blue: parseSteps(`
      get_cvss_details | vector = TARGET | recomputed score, what is at stake
      cve_search | product = one in question, cvss_min = base_score | flaws as severe as this`),
  },
};

/** Tool calls of an audit of a domain. */
export const DOMAIN_AUDIT_STEPS = parseSteps(`
  audit_domain | domain = TARGET | risk grade and factors, technologies, live headers
  contrast_scan | domain = TARGET | findings by severity, with their remedies
  email_security_posture | domain = TARGET | SPF, DMARC, DKIM: can mail be forged in its name
  ssl_check | domain = TARGET | grade, protocol, expiry
  tech_stack_cve_audit | domain = TARGET | known flaws in what it runs
  subdomain_enum | domain = TARGET | forgotten hosts
  threat_intel | domain = TARGET | whether malware is or was served from it`);

/** Tool calls of a check of a product for vulnerabilities. */
export const PRODUCT_CHECK_STEPS = parseSteps(`
  cve_search | product = TARGET, sort = epss_desc; where nothing is found, the name as it stands in CPE: lower case, _ for blanks | how many, the most likely to be used, versions in question
  cve_search | product = TARGET, kev = true | those that are known to be used
  calculate_risk_score | cve_id = each of the worst five | the order in which to act
  kev_detail | cve_id = each that is known to be used | due date, required action
  exploit_lookup | cve_id = the first in that order | public exploit code
  cwe_lookup | cwe_id = the weakness that comes most often | what to change so that it does not come back`);

/** A line is one step: tool | input | what to check. */
function parseSteps(table: string): readonly PromptStep[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [tool, inputHint, whatToCheck] = line.trim().split(' | ') as [string, string, string];
      return { tool, inputHint, whatToCheck };
    });
}
