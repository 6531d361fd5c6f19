import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMaliciousPackage } from '../../../src/analysis/packages/malicious-package.ts';
import { advisoryEntry, GithubAdvisory } from '../../../src/feeds/ghsa/advisory.ts';
import { packageAdvisoriesOf } from '../../../src/feeds/ghsa/package-advisories.ts';

const titled = (title: string, id = 'GHSA-aaaa-bbbb-cccc') => isMaliciousPackage({ id, aliases: [], title });

test('packages that do harm are told by the titles of advisories', () => {
  for (const title of [
    'Embedded malware in ua-parser-js',
    'Malicious Package in rimrafall',
    'Malicious code in `loadyaml`',
    'Malicious npm package: discord-fix',
    'Malware in pre-build binaries of bignum',
    'Embedded Malicious Code in flatmap-stream',
    'Malicious package. Exfiltrated secrets to a target server.',
    'marcador package in PyPI 0.1 through 0.13 included a code-execution backdoor.',
  ]) {
    assert.equal(titled(title), true, title);
  }
});

test('harm that malicious input does to a package is another thing', () => {
  for (const title of [
    'Malicious plugin names, recipients, or identities causing arbitrary binary execution in filippo.io/age',
    'Malicious smart contract can crash the chain in github.com/CosmWasm/wasmvm',
    'Path traversal via malicious package name in github.com/zarf-dev/zarf',
    'esm.sh has a path traversal in extractPackageTarball enables file writes from malicious packages',
    'KubePi allows malicious actor to login with a forged JWT token',
    'Connecting to a malicious Codespaces via GH CLI could allow command execution',
  ]) {
    assert.equal(titled(title), false, title);
  }
});

test('by the id of OSV, or by the weakness that GitHub names (event-stream 3.3.6)', () => {
  assert.equal(titled('A title', 'MAL-2025-1'), true);
  assert.equal(isMaliciousPackage({ id: 'GHSA-aaaa-bbbb-cccc', aliases: ['MAL-2025-1'], title: null }), true);
  const raw = {
    ghsa_id: 'GHSA-mh6f-8j2x-4483',
    cve_id: null,
    html_url: 'https://github.com/advisories/GHSA-mh6f-8j2x-4483',
    summary: 'Critical severity vulnerability that affects event-stream and flatmap-stream',
    description: '',
    type: 'reviewed',
    severity: 'critical',
    published_at: '2018-11-26T23:58:21Z',
    updated_at: '2023-01-01T00:00:00Z',
    cwes: [{ cwe_id: 'CWE-506' }],
    vulnerabilities: [
      {
        package: { ecosystem: 'npm', name: 'event-stream' },
        vulnerable_version_range: '>= 3.3.6, < 4.0.0',
        first_patched_version: '4.0.0',
      },
    ],
  };
  const [entry] = packageAdvisoriesOf(advisoryEntry(GithubAdvisory.parse(raw)));
  assert.equal(isMaliciousPackage(entry!.advisory), true);
  const [other] = packageAdvisoriesOf(advisoryEntry(GithubAdvisory.parse({ ...raw, cwes: [{ cwe_id: 'CWE-79' }] })));
  assert.equal(isMaliciousPackage(other!.advisory), false);
});
