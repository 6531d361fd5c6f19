import { atlasFeed } from '../../src/feeds/atlas/atlas.ts';
import { parseFeed } from './parse-feed.ts';

/** A small catalog of our own in the form of `ATLAS.yaml`, under ids that the operations' examples name. */
export const ATLAS_YAML = `---
id: ATLAS
name: A catalog for tests
version: 9.9.0
matrices:
- id: ATLAS
  name: ATLAS Matrix
  tactics:
  - id: AML.TA0004
    name: Initial Access
    description: Getting in.
    object-type: tactic
  - id: AML.TA0005
    name: Execution
    description: Running things.
    object-type: tactic
  - id: AML.TA0001
    name: AI Attack Staging
    description: Preparing.
    object-type: tactic
  techniques:
  - id: AML.T0051
    name: LLM Prompt Injection
    description: 'Somebody writes prompts that make a language model leave its orders.

      See [Direct](/techniques/AML.T0051.000).'
    object-type: technique
    tactics:
    - AML.TA0005
    created_date: 2023-10-25
    modified_date: 2025-11-25
    maturity: realized
  - id: AML.T0051.000
    name: Direct
    description: The prompt comes from the one who talks to the model.
    object-type: technique
    subtechnique-of: AML.T0051
    created_date: 2023-10-25
    modified_date: 2023-11-01
    maturity: demonstrated
  - id: AML.T0043
    name: Craft Adversarial Data
    description: Inputs are made so that a multi-step classifier takes them for something else.
    object-type: technique
    tactics:
    - AML.TA0001
    created_date: 2021-05-13
    modified_date: 2026-01-15
    maturity: feasible
  - id: AML.T0052
    name: Phishing
    description: Messages that lure their reader.
    object-type: technique
    ATT&CK-reference:
      id: T1566
      url: https://attack.mitre.org/techniques/T1566/
    tactics:
    - AML.TA0004
    created_date: 2023-10-25
    modified_date: 2025-12-23
    maturity: realized
  mitigations:
  - id: AML.M0001
    name: Look At What Goes In
    description: Inputs are checked.
    object-type: mitigation
    techniques:
    - id: AML.T0051
      use: 'Prompts are filtered.

        '
    - id: AML.T0043
      use: ''
case-studies:
- id: AML.CS0000
  name: A Detector Of Malware Is Led Astray
  object-type: case-study
  summary: Researchers changed a file until the detector let it pass (CVE-2019-20634).
  incident-date: 2020-03-01
  incident-date-granularity: MONTH
  procedure:
  - tactic: AML.TA0001
    technique: AML.T0043
    description: They changed bytes that do not matter.
  - tactic: AML.TA0004
    technique: AML.T0052
    description: They mailed the file.
  - tactic: AML.TA0001
    technique: AML.T0043
    description: They changed more of them.
  target: Malware detectors of Example Corp
  actor: Researchers of Example University
  case-study-type: exercise
  references:
  - title: How it was done
    url: https://example.org/evasion
  - title: A talk
    url: null
- id: AML.CS0001
  name: A Chatbot Says Too Much
  object-type: case-study
  summary: A visitor talked a chatbot out of its rules.
  incident-date: 2024-05-06
  incident-date-granularity: DATE
  procedure:
  - tactic: AML.TA0005
    technique: AML.T0051.000
    description: The visitor told it to forget what it had been told.
  target: Support chatbot
  actor: Unknown
  reporter: Example News
  case-study-type: incident
`;

/** The fixture as the feed reads it. */
export const ATLAS_ENTRIES = (await parseFeed(atlasFeed, Buffer.from(ATLAS_YAML))).entries;
