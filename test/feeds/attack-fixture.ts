import { attackFeed } from '../../src/feeds/attack/attack.ts';
import { parseFeed } from './parse-feed.ts';

/** STIX of the form of MITRE's bundles, with names of our own about well-known techniques and patterns. */

const reference = (source_name: string, external_id: string) => ({ source_name, external_id });
const technique = (external_id: string, name: string, more: object = {}) => ({
  type: 'attack-pattern',
  id: `attack-pattern--${external_id}`,
  name,
  description: `Adversaries do this.(Citation: Somebody 2020)`,
  modified: '2025-10-01T00:00:00.000Z',
  external_references: [reference('mitre-attack', external_id)],
  kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'initial-access' }],
  x_mitre_platforms: ['Linux', 'Windows'],
  ...more,
});
const relation = (relationship_type: string, source_ref: string, target_ref: string, more: object = {}) => ({
  type: 'relationship',
  id: `relationship--${source_ref}-${target_ref}`,
  relationship_type,
  source_ref,
  target_ref,
  ...more,
});

export const ATTACK_BUNDLE = {
  type: 'bundle',
  id: 'bundle--1',
  spec_version: '2.0',
  objects: [
    technique('T1190', 'Exploit Public-Facing Application'),
    technique('T1059', 'Command and Scripting Interpreter'),
    technique('T1059.007', 'JavaScript'),
    technique('T1499', 'Endpoint Denial of Service'),
    technique('T1574.002', 'DLL Side-Loading', { revoked: true }),
    technique('T1574.001', 'DLL'),
    technique('T1000', 'Given Up', { x_mitre_deprecated: true }),
    {
      type: 'x-mitre-tactic',
      id: 'x-mitre-tactic--1',
      name: 'Initial Access',
      external_references: [reference('mitre-attack', 'TA0001')],
      x_mitre_shortname: 'initial-access',
    },
    {
      type: 'course-of-action',
      id: 'course-of-action--1',
      name: 'Update Software',
      external_references: [reference('mitre-attack', 'M1051')],
    },
    {
      type: 'x-mitre-data-component',
      id: 'x-mitre-data-component--1',
      name: 'Application Log Content',
      external_references: [reference('mitre-attack', 'DC0038')],
    },
    {
      type: 'x-mitre-detection-strategy',
      id: 'x-mitre-detection-strategy--1',
      name: 'Exploitation Of A Public Service',
      external_references: [reference('mitre-attack', 'DET0080')],
      x_mitre_analytic_refs: ['x-mitre-analytic--1', 'x-mitre-analytic--missing'],
    },
    {
      type: 'x-mitre-analytic',
      id: 'x-mitre-analytic--1',
      name: 'Analytic 0200',
      description: 'A web server starts a shell after an odd request.',
      external_references: [reference('mitre-attack', 'AN0200')],
      x_mitre_platforms: ['Linux'],
      x_mitre_log_source_references: [
        { x_mitre_data_component_ref: 'x-mitre-data-component--1', name: 'nginx:access', channel: 'odd requests' },
      ],
    },
    relation('mitigates', 'course-of-action--1', 'attack-pattern--T1190'),
    relation('mitigates', 'course-of-action--1', 'attack-pattern--T1059', { x_mitre_deprecated: true }),
    relation('detects', 'x-mitre-detection-strategy--1', 'attack-pattern--T1190'),
    relation('subtechnique-of', 'attack-pattern--T1059.007', 'attack-pattern--T1059'),
    relation('revoked-by', 'attack-pattern--T1574.002', 'attack-pattern--T1574.001'),
  ],
};

const pattern = (number: number, name: string, cwes: string[], techniques: string[], more: object = {}) => ({
  type: 'attack-pattern',
  id: `attack-pattern--capec-${number}`,
  name,
  external_references: [
    reference('capec', `CAPEC-${number}`),
    ...cwes.map((cwe) => reference('cwe', cwe)),
    ...techniques.map((id) => reference('ATTACK', id)),
  ],
  x_capec_abstraction: 'Standard',
  x_capec_likelihood_of_attack: 'High',
  x_capec_typical_severity: 'High',
  x_capec_status: 'Stable',
  x_capec_version: '3.9',
  ...more,
});

export const CAPEC_BUNDLE = {
  type: 'bundle',
  id: 'bundle--2',
  objects: [
    pattern(66, 'SQL Injection', ['CWE-89', 'CWE-89'], []),
    pattern(63, 'Cross-Site Scripting', ['CWE-79'], ['T1059.007']),
    pattern(125, 'Flooding', ['CWE-770'], ['T1499', 'T1574.002']),
    pattern(1000, 'Given up', ['CWE-79'], ['T1190'], { x_capec_status: 'Deprecated' }),
  ],
};

const mapping = (capability_id: string, attack_object_id: string, mapping_type: string) => ({
  capability_id,
  attack_object_id,
  attack_object_name: 'A name',
  mapping_type,
  comments: 'Exploited by a crafted request.',
});

export const KEV_MAPPINGS = {
  metadata: { attack_version: '16.1', mapping_framework_version: '07/28/2025' },
  mapping_objects: [
    mapping('CVE-2021-44228', 'T1190', 'exploitation_technique'),
    mapping('CVE-2021-44228', 'T1059', 'secondary_impact'),
    { ...mapping('CVE-2022-90005', '', 'exploitation_technique'), attack_object_id: null },
  ],
};

export const CVE_MAPPINGS = `\ufeffCVE ID,Primary Impact,Secondary Impact,Exploitation Technique,Uncategorized,Phase
CVE-2014-0160,T1005,,T1190; T1078,,Phase 2
CVE-2019-15958,T1059,,T1190,,Phase 2
`;

const entriesOf = async (name: string, content: unknown) =>
  (await parseFeed(attackFeed, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), { name }))
    .entries;

/** The documents of each file. */
export const ATTACK_ENTRIES = [
  await entriesOf('enterprise-attack', ATTACK_BUNDLE),
  await entriesOf('capec', CAPEC_BUNDLE),
  await entriesOf('kev-enterprise', KEV_MAPPINGS),
  await entriesOf('attack-to-cve', CVE_MAPPINGS),
];
