/** What a person asks an agent, in that person's words, and what a right answer holds. */
export interface AgentQuestion {
  text: string;
  /** What the person pastes or attaches. */
  paste?: string;
  /** All of them must stand in the answers that the agent has seen. Known from outside: the feeds, the lab, the standard. */
  facts: readonly RegExp[];
  /** Needs the feeds: the catalog of all of them, or recorded answers of sources. */
  feeds?: true;
}

const PACKAGE_LOCK = JSON.stringify({
  name: 'shop',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'shop', version: '1.0.0', dependencies: { lodash: '4.17.15', minimist: '0.0.8' } },
    'node_modules/lodash': {
      version: '4.17.15',
      resolved: 'https://registry.example/lodash/-/lodash-4.17.15.tgz',
      integrity: 'sha512-8xOcRHvCjnocdS5cpwXQXVzmmh5e5+saE2QGoeQmbKmRS6J3VQppPOIt0MnmE+4xlZoumy0GPG0D0MVIQbNA1A==',
    },
    'node_modules/minimist': {
      version: '0.0.8',
      resolved: 'https://registry.example/minimist/-/minimist-0.0.8.tgz',
      integrity: 'sha512-miQKw5Hv4NS1Psg2517mV4e4dYNaO3++hjAvLOAzKqZ61rH8NS1SK+vbfBWZ5PY/Me/bEWhUwqMghEW5Fb9T7Q==',
    },
  },
});

const FLASK_VIEW = `import os
from flask import Flask, request

app = Flask(__name__)

@app.route("/ping")
def ping():
    host = request.args.get("host")
    os.system("ping -c 1 " + host)
    return "done"
`;

/** A token of the form that GitHub gives out, made of letters that nobody was given. */
const DEPLOY_SCRIPT = `#!/bin/sh
export APP_ENV=production
export GITHUB_TOKEN=ghp_${['x7Kq2LmZ9vTa', 'R4bWc8YhJ3eN', 'f6PdU1sGo5Xi'].join('')}
git push https://github.com/acme/shop
`;

const RESPONSE_HEADERS = `HTTP/1.1 200 OK
Server: Apache/2.4.29 (Ubuntu)
Content-Type: text/html; charset=utf-8
Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-inline'
Set-Cookie: session=4f1c; Path=/
X-Frame-Options: SAMEORIGIN
`;

/** Written from what people in the field ask, before an agent had tried one of them. */
export const QUESTIONS: readonly AgentQuestion[] = [
  {
    text: 'How bad is CVE-2021-44228, and since when is it known to be exploited?',
    facts: [/"cvss_v3":10\b/, /2021-12-10/],
    feeds: true,
  },
  {
    text: 'Our scanner found these, which should we patch first?\nCVE-2019-1010218\nCVE-2024-3400\nCVE-2020-8908\nCVE-2023-34362',
    facts: [/2024-04-12/, /2023-06-02/],
    feeds: true,
  },
  {
    text: 'Is this package-lock.json safe to ship?',
    paste: PACKAGE_LOCK,
    facts: [/CVE-2021-23337|GHSA-35jh-r3h4-6jhm/, /CVE-2021-44906|GHSA-xvch-5gv4-984h/, /4\.17\.21/],
    feeds: true,
  },
  {
    text: 'Which Sigma rules detect T1059.001?',
    facts: [/"total":201\b/, /powershell/i],
    feeds: true,
  },
  {
    text: 'What defends against T1190?',
    facts: [/Inbound Traffic Filtering/, /Network Traffic Signature Analysis/],
    feeds: true,
  },
  {
    text: 'Can anybody send mail in the name of poor.lab?',
    facts: [/v=spf1 \+all/, /p=none/],
  },
  {
    text: 'Please investigate the domain malware.lab for me, is it bad?',
    facts: [/Lab Loader/, /bin\/loader\.exe/],
  },
  {
    text: 'Decode this score for me: CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N',
    facts: [/\b5\.4\b/, /medium/i],
  },
  {
    text: 'What was added to the CISA list of known exploited vulnerabilities in August 2025?',
    facts: [/CVE-2025-8088/, /CVE-2025-43300/, /CVE-2025-54948/],
    feeds: true,
  },
  {
    text: 'Where does http://redirect.lab/chain lead in the end?',
    facts: [/https:\/\/www\.kept\.lab\//, /https:\/\/redirect\.lab\/three/],
  },
  {
    text: 'What kind of weakness is CWE-787 and how do I prevent it?',
    facts: [/Out-of-bounds Write/, /memory/i],
    feeds: true,
  },
  {
    text: 'How do attackers steal a machine learning model? I need the technique ids.',
    facts: [/AML\.T0024\.002|AML\.T0024/],
    feeds: true,
  },
  {
    text: 'Got this link by text message, is it phishing? http://paypal.com.secure-login.example.top/verify',
    facts: [/subdomain|look-?alike|imperson|deceptive/i],
  },
  {
    text: 'How would our answers be graded if we shipped these headers?',
    paste: RESPONSE_HEADERS,
    facts: [/strict-transport-security/i, /HttpOnly/i, /SameSite/i],
  },
  {
    text: 'Seen this file on a laptop, what is it? 596b3dbf07a287dcf76860b5e54762c3',
    facts: [/AgentTesla/, /0661d87116f44cbd5b5c6bec7fb06c4e5cd5b6ecbc5455d959e65f1ee46c54c8/],
    feeds: true,
  },
  {
    text: 'Is there public exploit code for CVE-2017-0144?',
    facts: [/\b42031\b|\b41891\b|\b42315\b/],
    feeds: true,
  },
  {
    text: 'Which subdomains does kept.lab have that we may have forgotten?',
    facts: [/old\.kept\.lab/, /api\.kept\.lab/],
  },
  {
    text: 'Did I leave a secret in this script?',
    paste: DEPLOY_SCRIPT,
    facts: [/"line":3\b/, /CRITICAL|HIGH/],
  },
  {
    text: 'Is somebody@mailinator.com a throwaway address?',
    facts: [/"disposable":true|"is_disposable":true/],
  },
  {
    text: 'Which software runs wordpress.lab, and which known holes does that version have?',
    facts: [/5\.8\.1/, /CVE-20\d\d-\d+/],
    feeds: true,
  },
  {
    text: 'How likely is it that CVE-2023-4966 is exploited in the next 30 days?',
    facts: [/0\.943/],
    feeds: true,
  },
  {
    text: 'Is pkg:pypi/requests@2.19.0 vulnerable, and which release mends it?',
    facts: [/CVE-2018-18074|GHSA-x84v-xcm2-53pg/, /2\.20\.0/],
    feeds: true,
  },
  {
    text: 'Which critical Fortinet FortiOS vulnerabilities are exploited by attackers?',
    facts: [/CVE-2024-21762/, /CVE-2022-40684|CVE-2022-42475|CVE-2023-27997/],
    feeds: true,
  },
  {
    text: 'How did poor.lab look years ago, are there archived copies?',
    facts: [/2009/, /2014/],
  },
  {
    text: 'Do crawlers of AI companies get into robots-all.lab, or does it keep them out?',
    facts: [/disallow/i, /"\/"/],
  },
  {
    text: 'Is the DNSSEC of kept.lab in order, and which mail servers does it name?',
    facts: [
      /mx1\.kept\.lab/,
      /mx2\.kept\.lab/,
      /"dnssec\w*":(?:true|"(?:secure|valid|signed)"|\{[^}]*"(?:secure|valid|signed)")/,
    ],
  },
  {
    text: 'Who is the registrar of kept.lab, and when does the registration end?',
    facts: [/Lab Registrar/, /2031-02-01/],
  },
  {
    text: 'Explain D3-MFA and what it counters.',
    facts: [/Multi-factor Authentication/i, /T1078|T1110/],
    feeds: true,
  },
  {
    text: 'A customer asks about AML.T0051, what is that and what helps against it?',
    facts: [/LLM Prompt Injection/, /AML\.M00\d\d|guardrail/i],
    feeds: true,
  },
  {
    text: 'What is behind advisory GHSA-jfh8-c2jp-5v3q?',
    facts: [/CVE-2021-44228/],
    feeds: true,
  },
];

/** Kept apart while the agent and the tools were worked on. */
export const HELD_OUT: readonly AgentQuestion[] = [
  {
    text: 'We still run Apache HTTP Server 2.4.49. Is our version affected by something that is exploited?',
    facts: [/CVE-2021-41773/, /2\.4\.5[01]/],
    feeds: true,
  },
  {
    text: 'Our firewall saw traffic from 5.57.233.150, has it been seen doing anything bad?',
    facts: [/\b96\b/, /\b41\b/],
  },
  {
    text: 'Has the password with the SHA-1 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8 leaked anywhere?',
    facts: [/"found":true/, /"pwned_count":\d{7,}/],
    feeds: true,
  },
  {
    text: 'Why do some programs refuse the certificate of incomplete.tls.lab?',
    facts: [/intermediate certificate/i, /whole chain|\bfullchain\b/i],
  },
  {
    text: 'Please look over this Python view for injection holes.',
    paste: FLASK_VIEW,
    facts: [/command.injection/i, /"line":9\b/],
  },
  {
    text: 'Was there a real incident where a chatbot was taught abuse by its users?',
    facts: [/AML\.CS0009/, /Tay/],
    feeds: true,
  },
  {
    text: 'Do we have any defence or detection against T1566, T1059 and T1190, where are the gaps?',
    facts: [/"total_defenses":0\b/, /"total_defenses":11\b/, /"total_defenses":13\b/],
    feeds: true,
  },
  {
    text: 'From which country is +1 415 555 2671, and what sort of line is it?',
    facts: [/"US"|United States/],
  },
  {
    text: 'How do I see attempts at CVE-2021-44228 in my web server logs?',
    facts: [/Log4j RCE CVE-2021-44228|5ea8faa8-db8b-45be-89b0-151b84c82702|9be472ed-893c-4ec0-94da-312d2765f654/],
    feeds: true,
  },
  {
    text: 'Which ports does 5.57.186.158 leave open to everybody?',
    facts: [/\b3306\b/, /\b21,\s*22,/],
  },
];
