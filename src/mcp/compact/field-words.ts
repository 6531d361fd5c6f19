/**
 * What people call the subject of a tool, beside the words of its own title and description: names of the field, verbs of questions,
 * names of formats and products.
 */
export const FIELD_WORDS: Readonly<Record<string, string>> = {
  cve_lookup:
    'how bad serious severe dangerous vulnerability details advisory facts CVSS EPSS patch vendor fix affected summary what is',
  calculate_risk_score:
    'prioritize priority urgency triage rank importance patch first which first remediation order single number SSVC',
  get_cvss_details:
    'CVSS vector string base score metric decode explain mean attack complexity privileges AV AC PR UI calculator',
  cve_search:
    'vulnerabilities bugs flaws issues security holes list all find search critical high severity vendor product published year month recent newest latest patch tuesday named vulnerability backdoor zero day Microsoft Cisco Fortinet Linux',
  cve_leading:
    'early warning not yet in NVD before NVD analysis pending unanalysed awaiting national vulnerability database advisory first zero day new',
  exploit_lookup:
    'exploit code proof of concept PoC weaponized Metasploit module Exploit-DB GitHub nuclei template public exploit available',
  advisory_lookup: 'GitHub security advisory GHSA id packages affected npm PyPI Maven withdrawn patched',
  kev_detail:
    'CISA KEV known exploited in the wild actively exploited currently attacked ransomware campaign due date deadline federal agency BOD 22-01 required action',
  cwe_lookup:
    'weakness class type of flaw CWE category mitigation prevent explain cross-site scripting XSS SQL injection buffer overflow deserialization use after free',
  bulk_cve_lookup:
    'several many list of CVE ids vulnerabilities triage spreadsheet report scanner output batch which first compare',
  atlas_technique_lookup: 'AI ML machine learning adversarial attack technique id AML tactic mitigation',
  bulk_atlas_technique_lookup: 'several many AI ML machine learning attack techniques AML ids batch list',
  atlas_technique_search:
    'AI ML LLM large language model machine learning adversarial examples prompt injection jailbreak data poisoning model theft extraction inference evasion classifier RAG agent attack techniques',
  atlas_case_study_lookup: 'AI ML incident case study real attack AML.CS details procedure',
  atlas_case_study_search:
    'AI ML machine learning LLM incident incidents real world case studies examples poisoned stolen evaded model chatbot attacked happened',
  d3fend_defense_lookup: 'D3FEND countermeasure defensive technique explain what does it counter',
  d3fend_defense_search:
    'countermeasure countermeasures defensive techniques harden hardening isolate deceive evict detect protect credentials mitigation artifact D3FEND blue team',
  d3fend_defense_for_attack:
    'defend defends against stop block prevent protect mitigate mitigation countermeasure ATT&CK technique MITRE T-code how to defend harden',
  d3fend_attack_coverage:
    'gap analysis gaps coverage mitigations countermeasures several techniques TTPs threat actor group heat map layer Navigator undefended',
  sigma_rule_lookup: 'Sigma rule UUID id detection logic SIEM read show false positives',
  bulk_sigma_rule_lookup: 'several many Sigma rules UUIDs ids batch list SIEM',
  check_secrets:
    'secret secrets hard-coded credential credentials API key keys token password private key leaked committed git repository AWS access key connection string .env scan file',
  check_injection:
    'SQL injection SQLi command injection path traversal taint source code review vulnerable code audit SAST Python JavaScript PHP Java Go exec eval shell query user input',
  check_headers:
    'review security headers configuration config nginx Apache add_header Content-Security-Policy CSP HSTS cookie flags before deploy policy string evaluate',
  check_dependencies:
    'package packages dependency dependencies lockfile lock file package-lock yarn.lock pnpm requirements.txt Gemfile.lock Cargo.lock go.mod pom.xml composer npm pip PyPI Maven SBOM CycloneDX SPDX bill of materials supply chain SCA audit upgrade library libraries safe purl',
  dns_lookup:
    'DNS record records A AAAA MX NS TXT CNAME SOA CAA SRV nameserver nameservers resolve resolution name server DNSSEC zone IP of a domain',
  whois_lookup:
    'WHOIS RDAP owner owns who owns registrar registrant registered registration domain age created expires expire expiry renewal abuse contact nameservers status',
  domain_report:
    'everything overview investigate look at domain report attack surface profile reputation suspicious domain summary background check',
  audit_domain:
    'everything about domain full complete audit attack surface assessment due diligence all in one technologies headers',
  ssl_check:
    'SSL TLS HTTPS certificate cert expire expires expiry expired chain incomplete issuer cipher protocol version TLS 1.0 TLS 1.2 1.3 handshake grade weak encryption self-signed',
  subdomain_enum:
    'subdomain subdomains hidden hosts names enumerate enumeration discover discovery recon reconnaissance attack surface certificate transparency crt.sh',
  wayback_lookup:
    'archive archived Wayback Machine history old version past snapshot looked like earlier years ago first seen website',
  contrast_scan:
    'scan website web site security problems vulnerabilities issues misconfiguration audit check my site hardening grade full scan pentest',
  scan_headers:
    'security headers HSTS CSP X-Frame-Options cookie cookies Secure HttpOnly SameSite flag set live site Mozilla Observatory grade missing header clickjacking CORS',
  tech_fingerprint:
    'technology stack built with running WordPress Drupal CMS framework server software CDN WAF library Wappalyzer fingerprint what runs version of site',
  tech_stack_cve_audit:
    'CVEs vulnerabilities of the software a web site runs outdated vulnerable WordPress jQuery version exploit web server stack',
  robots_txt: 'robots robots.txt crawl crawler crawling disallow allow sitemap user-agent bot rules spider',
  redirect_chain:
    'redirect redirects short link shortened URL bit.ly tinyurl t.co goes go leads lead destination final expand unshorten hops follow link where',
  brand_assets:
    'favicon icon logo brand branding theme colour color Open Graph share image preview look-alike impersonation',
  seo_audit:
    'SEO search engine Google ranking title meta description headings canonical homepage on-page structured data',
  geo_audit:
    'GEO generative engine AI crawler crawlers GPTBot ClaudeBot PerplexityBot ChatGPT LLM llms.txt readable indexing readiness answer engine crawl',
  email_mx:
    'mail server servers MX mail exchanger provider hosts mail Google Workspace Microsoft 365 Exchange who handles e-mail email hosting company',
  email_security_posture:
    'spoof spoofing spoofable spoofed forge forgery impersonate phishing protection SPF DKIM DMARC MTA-STS TLS-RPT BIMI DANE email e-mail mail authentication deliverability spam sender policy',
  email_disposable:
    'disposable temporary throwaway throw-away burner e-mail email address fake mailbox mailinator sign-up',
  email_verify:
    'verify validate valid e-mail email address exists deliverable syntax typo role account free provider mailbox',
  threat_intel:
    'domain hosts distributes distribute serves malware payload URLhaus malicious downloads online infected compromised',
  ip_lookup:
    'IP address host server open ports services exposed Shodan who owns reverse DNS hosting cloud provider Tor exit node VPN proxy datacenter geolocation country location',
  threat_report:
    'IP address malicious bad suspicious dangerous attacker attacking blocklist blacklist blocklisted abuse reputation threat Tor exit botnet C2 scanner brute force should I block firewall',
  asn_lookup:
    'ASN autonomous system BGP network prefix prefixes route routing netblock range CIDR operator ISP holder whose network belongs announces',
  ioc_lookup:
    'indicator of compromise IOC threat intelligence malicious known bad seen reputation C2 command and control botnet ThreatFox URLhaus Feodo enrich suspicious',
  bulk_ioc_lookup:
    'indicators of compromise IOCs many several list mixed domains addresses IPs hashes URLs incident report log batch enrich enrichment blocklist paste',
  hash_lookup:
    'file hash MD5 SHA1 SHA256 malware sample family virus binary executable MalwareBazaar checksum known malicious file',
  phishing_check:
    'phishing link URL suspicious scam fraud fake login page safe to open click SMS text message smishing malicious website e-mail',
  password_check:
    'password passwords leaked leak breach breached pwned compromised Have I Been Pwned HIBP SHA-1 credential stuffing reused',
  username_lookup:
    'username user name handle nickname nick alias account profile social media OSINT GitHub Reddit person online same name',
  phone_lookup: 'phone telephone number mobile cell landline country code E.164 caller call SMS carrier line type',
  cve_detection:
    'detect detection exploitation exploited see spot hunt hunting logs log monitoring SIEM alert signs indicators was I attacked coverage of a CVE',
  sigma_search:
    'Sigma detection rules rule SIEM detect alert hunt hunting query PowerShell Windows Linux process creation event log credential dumping Sysmon Splunk Elastic find',
  affected_check:
    'affected vulnerable version we run use our installed release upgrade fixed patched safe am I are we impacted product version CPE purl jar',
  epss_history: 'EPSS exploit probability over time trend history chart changed change past days rise fell development',
  epss_risers:
    'EPSS rising risers trending likely to be exploited soon next week upcoming about to probability increase emerging hot predicted',
  cve_history:
    'history changes changed what was different when score status severity raised lowered rescored modified timeline before after',
  changes:
    'what changed changes new since yesterday Monday last week update updates feed follow newly added known exploited rescored delta news across all vulnerabilities',
  attack_technique_lookup: 'MITRE ATT&CK technique T-code explain what is TTP adversary tactic id',
  attack_technique_search:
    'MITRE ATT&CK techniques TTP TTPs lateral movement persistence privilege escalation credential access exfiltration initial access execution defense evasion phishing attachment ransomware tactic find adversary behaviour',
  attack_coverage:
    'coverage several techniques detection detect detected gap gaps blind spots not covered no detection seen unseen SOC purple team TTPs threat actor',
};
