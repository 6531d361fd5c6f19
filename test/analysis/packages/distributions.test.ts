import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideAffected } from '../../../src/analysis/affected/decide-affected.ts';
import { createSubject } from '../../../src/analysis/affected/subject.ts';
import { releaseOfOsvName } from '../../../src/analysis/packages/distributions.ts';
import { parsePurl } from '../../../src/analysis/packages/package-ref.ts';
import { osvFeed } from '../../../src/feeds/osv/osv.ts';
import { parseFeed } from '../../feeds/parse-feed.ts';
import { zipOf } from '../../feeds/zip-of.ts';

// Package URLs as their type definitions have them (purl specification; syft's `upstream`).
for (const [purl, ecosystem, name, version] of [
  ['pkg:deb/debian/curl@7.88.1-10?arch=amd64&distro=debian-12', 'Debian:12', 'curl', '7.88.1-10'],
  ['pkg:deb/debian/libcurl4@7.88.1-10?distro=bookworm&upstream=curl', 'Debian:12', 'curl', '7.88.1-10'],
  ['pkg:deb/ubuntu/openssl@3.0.2-0ubuntu1?distro=jammy', 'Ubuntu:22.04', 'openssl', '3.0.2-0ubuntu1'],
  ['pkg:apk/alpine/busybox@1.36.1-r5?distro=alpine-3.18.4', 'Alpine:v3.18', 'busybox', '1.36.1-r5'],
  ['pkg:apk/alpine/ssl_client@1.36.1-r5?distro=3.18.4&upstream=busybox', 'Alpine:v3.18', 'busybox', '1.36.1-r5'],
  ['pkg:rpm/rocky/bind@9.16.23-14.el9?distro=rocky-9.3&epoch=32', 'Rocky Linux:9', 'bind', '32:9.16.23-14.el9'],
  ['pkg:rpm/redhat/openssl@3.0.7-24.el9?distro=rhel-9.2', 'Red Hat:9', 'openssl', '3.0.7-24.el9'],
] as const) {
  test(purl, () => assert.deepEqual(parsePurl(purl), { ecosystem, name, version }));
}

test('a release has one name, of those that OSV gives it', () => {
  for (const [given, release] of [
    ['Debian:12', 'Debian:12'],
    ['Alpine:v3.18', 'Alpine:v3.18'],
    ['Ubuntu:22.04:LTS', 'Ubuntu:22.04'],
    ['Ubuntu:Pro:22.04:LTS', null],
    ['Red Hat:enterprise_linux:9::appstream', 'Red Hat:9'],
    ['Red Hat:rhel_aus:8.4::baseos', null],
    ['Rocky Linux:8', 'Rocky Linux:8'],
    ['Debian', null],
    ['npm', null],
  ] as const) {
    assert.equal(releaseOfOsvName(given), release, given);
  }
});

describe('an advisory of a distribution', async () => {
  // In the form of DSA-5557: the fix of one CVE in each release under a version of its own.
  const advisory = {
    id: 'DSA-2000-1',
    modified: '2023-10-11T00:00:00Z',
    upstream: ['CVE-2023-38545'],
    affected: [
      ['Debian:11', '7.74.0-1.3+deb11u10'],
      ['Debian:12', '7.88.1-10+deb12u4'],
    ].map(([ecosystem, fixed]) => ({
      package: { ecosystem, name: 'curl' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    })),
  };
  const zip = zipOf([{ name: 'DSA-2000-1.json', content: JSON.stringify(advisory) }]);
  const { entries } = await parseFeed(osvFeed, zip, { name: 'Debian/all.zip' });

  test('is stored for each release', () => {
    assert.deepEqual(
      entries.map(({ ecosystem, name }) => `${ecosystem} ${name}`),
      ['Debian:11 curl', 'Debian:12 curl'],
    );
  });

  for (const [version, distro, status, fixed] of [
    ['7.88.1-10+deb12u3', 'debian-12', 'affected', '7.88.1-10+deb12u4'],
    ['7.88.1-10+deb12u4', 'debian-12', 'not_affected', null],
    // A tilde comes before the end (Debian Policy 5.6.12).
    ['7.88.1-10+deb12u4~bpo11+1', 'debian-12', 'affected', '7.88.1-10+deb12u4'],
    ['7.74.0-1.3+deb11u10', 'bullseye', 'not_affected', null],
  ] as const) {
    test(`${version} of ${distro}: ${status}`, () => {
      const subject = createSubject({ purl: `pkg:deb/debian/curl@${encodeURIComponent(version)}?distro=${distro}` });
      assert.ok(!('problem' in subject));
      const advisories = entries
        .filter(({ ecosystem }) => ecosystem === subject.ecosystem?.name)
        .map((entry) => entry.advisory);
      const cve = { cve_id: 'CVE-2023-38545', rejected: false, records: [], advisories, vex: [] };
      const found = decideAffected(cve, subject);
      assert.equal(found.status, status);
      assert.equal(found.fixed_in, fixed);
    });
  }
});
