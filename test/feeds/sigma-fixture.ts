import { sigmaFeed } from '../../src/feeds/sigma/sigma.ts';
import { parseFeed } from './parse-feed.ts';
import { zipOf } from './zip-of.ts';

/** A rule file with what every rule has; fields given replace or add lines, null takes a field away. */
export function ruleFile(fields: Record<string, string | null> = {}): string {
  const usual: Record<string, string | null> = {
    title: 'Whoami By A Web Server',
    id: '11111111-2222-4333-8444-555555555555',
    status: 'test',
    level: 'high',
    description: 'Detects a web server that asks who it is.',
    author: 'A. Tester',
    date: '2024-01-31',
    logsource: '\n    product: windows\n    category: process_creation',
    detection: "\n    selection:\n        Image|endswith: '\\whoami.exe'\n    condition: selection",
  };
  return Object.entries({ ...usual, ...fields })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** Rules of our own about well-known things, under ids that the operations' examples name. */
export const FIXTURE_FILES: readonly { name: string; content: string }[] = [
  { name: 'version.txt', content: 'Release Date: 2024-06-01\nLabel: r2024-06-01\nCommit-Hash: 0\n' },
  {
    name: 'rules-emerging-threats/2021/jndi_generic.yml',
    content: ruleFile({
      title: 'Log4Shell Lookup In A Request',
      id: '5ea8faa8-db8b-45be-89b0-151b84c82702',
      description: 'Detects the lookup strings of CVE-2021-44228 in web requests.',
      modified: '2024/02/01',
      tags: '\n    - attack.initial-access\n    - attack.t1190\n    - cve.2021-44228',
      logsource: '\n    category: webserver',
      references: '\n    - https://example.org/log4shell',
      falsepositives: '\n    - Vulnerability scanners',
      detection: "\n    keywords:\n        - '${jndi:ldap:/'\n        - '${jndi:rmi:/'\n    condition: keywords",
    }),
  },
  {
    name: 'rules-emerging-threats/2021/jndi_fields.yml',
    content: ruleFile({
      title: 'Log4Shell Lookup In Header Fields',
      id: '9be472ed-893c-4ec0-94da-312d2765f654',
      tags: '\n    - attack.t1190\n    - cve.2021.44228',
      logsource: '\n    category: webserver',
      level: 'critical',
      detection: "\n    selection:\n        cs-user-agent|contains: '${jndi:'\n    condition: selection",
    }),
  },
  {
    name: 'rules/windows/encoded_powershell.yml',
    content: ruleFile({
      title: 'Encoded PowerShell Commands',
      id: 'aaaaaaaa-0000-4000-8000-000000000001',
      description: 'Detects credential-dumping scripts that PowerShell is given in Base64.',
      tags: '\n    - attack.execution\n    - attack.t1059.001\n    - attack.t1027',
      detection:
        "\n    selection_img:\n        Image|endswith: '\\powershell.exe'\n    selection_cli:\n        CommandLine|contains: ' -enc '\n    filter_main_tool:\n        ParentImage|endswith: '\\deploy.exe'\n    condition: all of selection_* and not 1 of filter_main_*",
    }),
  },
  {
    name: 'rules/linux/shell.yml',
    content: ruleFile({
      title: 'Shell Spawned By A Service',
      id: 'aaaaaaaa-0000-4000-8000-000000000002',
      description: 'Detects shells below a service.',
      status: 'experimental',
      level: 'medium',
      tags: '\n    - attack.t1059.004',
      logsource: '\n    product: linux\n    category: process_creation',
    }),
  },
  {
    name: 'rules/windows/long_list.yml',
    content: ruleFile({
      title: 'Known Bad Hashes',
      id: 'aaaaaaaa-0000-4000-8000-000000000003',
      description: 'Detects files by their hashes.',
      tags: null,
      detection: `\n    selection:\n        Hashes|contains:\n${Array.from({ length: 900 }, (_, n) => `            - 'SHA1=${String(n).padStart(40, '0')}'\n`).join('')}    condition: selection`,
    }),
  },
];

/** The fixture as the feed reads it. */
export const FIXTURE_RULES = (await parseFeed(sigmaFeed, zipOf(FIXTURE_FILES))).entries;
