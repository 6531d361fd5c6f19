import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CveProduct, CveReference } from '../../../src/analysis/cve/cve-facts.ts';
import { assessReferences, type FixFinding, withKevAction } from '../../../src/analysis/cve/patch-reference.ts';
import { facts, product } from '../../support/facts.ts';

function reference(url: string, ...tags: string[]): CveReference {
  return { url, tags, source: null };
}

const anyVersion = (name: string, more: Partial<CveProduct> = {}) => product(`cpe:2.3:a:${name}:*:*:*:*:*:*:*:*`, more);
const fixOf = (references: CveReference[], more: Parameters<typeof facts>[0] = {}): FixFinding => {
  const { patch_available, fix } = assessReferences(facts({ references, ...more }));
  return { patch_available, fix };
};
const advisory = reference('https://vendor.example/advisory', 'Vendor Advisory');

suite('the fix that a reference names', () => {
  test('a reference tagged Patch, in the case of either source, wherever it is in the list', () => {
    for (const tag of ['Patch', 'patch']) {
      const patch = reference('https://acme.example/fix', tag);
      const found = fixOf([...Array.from({ length: 500 }, () => reference('https://a.example/')), patch]);
      assert.deepEqual([found.patch_available, found.fix.url], [true, patch.url]);
    }
  });

  test('a range that ends before a version, of any vulnerable product: there is a fix', () => {
    // CVE-2025-32756 (FG-IR-25-254): FortiVoice 7.2.0 stands first, FortiMail of the same vendor is fixed in 7.6.3.
    const first = product('cpe:2.3:a:fortinet:fortivoice:7.2.0:*:*:*:*:*:*:*');
    const fixed = anyVersion('fortinet:fortimail', { start_including: '7.6.0', end_excluding: '7.6.3' });
    assert.equal(fixOf([advisory], { products: [first, fixed] }).patch_available, true);
    assert.equal(fixOf([advisory], { products: [first] }).patch_available, null);
    assert.equal(fixOf([advisory], { products: [first, { ...fixed, vulnerable: false }] }).patch_available, null);
  });

  test('addresses that are a change by their form', () => {
    for (const url of [
      'https://github.com/acme/anvil/commit/0123456',
      'https://github.com/acme/anvil/commit/0123456789abcdef0123456789abcdef01234567',
      'https://gitlab.com/acme/anvil/-/commit/0123456789abcdef0123456789abcdef01234567',
      'https://bitbucket.org/acme/anvil/commits/0123456789ab',
      'https://github.com/acme/anvil/pull/42',
      'https://gitlab.com/acme/anvil/-/merge_requests/42',
      'https://bugs.example/attachment/fix.patch',
      'https://bugs.example/fix.diff?raw=1',
      'http://git.openssl.org/gitweb/?p=openssl.git;a=commit;h=96db9023b881d7cd9f379b0c154650d6c108e9a3',
      'https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/commit/?id=0123456789abcdef0123456789abcdef01234567',
    ]) {
      const { patch_available, fix } = fixOf([advisory, reference(url)]);
      assert.deepEqual([patch_available, fix.kind, fix.url], [true, 'commit', url]);
    }
  });

  test('addresses that are not', () => {
    for (const url of [
      'https://github.com/acme/anvil',
      'https://github.com/acme/anvil/commits/main',
      'https://github.com/acme/anvil/issues/42',
      'https://github.com/acme/anvil/pulls',
      'https://vendor.example/dispatch',
      'https://vendor.example/?id=42',
      'https://vendor.example/fix.patch.html',
      'https://github.com/rapid7/metasploit-framework/pull/42',
    ]) {
      const { patch_available, fix } = fixOf([advisory, reference(url)]);
      assert.deepEqual([patch_available, fix.kind, fix.url], [null, 'advisory', advisory.url], url);
    }
  });

  test("a change in another's repository is no fix unless a source says so", () => {
    const products = [anyVersion('acme:anvil')];
    const other = 'https://github.com/somebody/scanner/commit/0123456';
    assert.equal(fixOf([reference(other)], { products }).fix.kind, 'none_known');
    assert.equal(fixOf([reference(other, 'Patch')], { products }).fix.kind, 'commit');
    assert.equal(
      fixOf([reference('https://github.com/acme-project/anvil/commit/0123456')], { products }).fix.kind,
      'commit',
    );
  });
});

suite('before third parties', () => {
  test('sudo (CVE-2021-3156): its own site before the advisories of Oracle and BeyondTrust', () => {
    const own = reference('https://www.sudo.ws/stable.html#1.9.5p2', 'Release Notes', 'Vendor Advisory');
    const { patch_available, fix } = fixOf(
      [
        reference(
          'https://www.beyondtrust.com/blog/entry/security-advisory-privilege-management-for-unix-linux-pmul',
          'Patch',
          'Third Party Advisory',
        ),
        reference('https://www.oracle.com//security-alerts/cpujul2021.html', 'Patch', 'Third Party Advisory'),
        own,
      ],
      {
        products: [
          anyVersion('sudo_project:sudo', { end_excluding: '1.8.32' }),
          anyVersion('sudo_project:sudo', { start_including: '1.9.0', end_excluding: '1.9.5' }),
          // The fix is 1.9.5p2: 1.9.5 itself is vulnerable.
          product('cpe:2.3:a:sudo_project:sudo:1.9.5:-:*:*:*:*:*:*'),
          product('cpe:2.3:a:sudo_project:sudo:1.9.5:patch1:*:*:*:*:*:*'),
        ],
        assigner: 'cve@mitre.org',
      },
    );
    assert.deepEqual([patch_available, fix], [true, { kind: 'release', url: own.url, versions: ['1.8.32'] }]);
  });

  test("Log4Shell: Apache's page before Microsoft's blog, and not ten pages of one exploit site first", () => {
    const exploits = [165225, 165260, 165261, 165270, 165281, 165282].map((id) =>
      reference(`http://packetstormsecurity.com/files/${id}/`, 'Exploit', 'Third Party Advisory', 'VDB Entry'),
    );
    const log4j = facts({
      references: [
        ...exploits,
        reference(
          'http://www.openwall.com/lists/oss-security/2021/12/10/1',
          'Mailing List',
          'Mitigation',
          'Third Party Advisory',
        ),
        reference('https://msrc-blog.microsoft.com/2021/12/11/', 'Patch', 'Third Party Advisory', 'Vendor Advisory'),
        reference('https://logging.apache.org/log4j/2.x/security.html', 'Release Notes', 'Vendor Advisory'),
      ],
      products: [anyVersion('apache:log4j', { end_excluding: '2.15.0' })],
      assigner: 'security@apache.org',
    });
    assert.equal(assessReferences(log4j).fix.url, 'https://logging.apache.org/log4j/2.x/security.html');
    const order = assessReferences(log4j).references.map(({ url }) => new URL(url).hostname);
    assert.equal(order[0], 'logging.apache.org');
    assert.equal(order.length, log4j.references.length);
    assert.ok(order.slice(0, 5).filter((host) => host === 'packetstormsecurity.com').length <= 2);
  });

  test("regreSSHion (CVE-2024-6387): OpenSSH's release notes before a commit in a copy of it", () => {
    const { fix } = fixOf(
      [
        reference('https://github.com/openela-main/openssh/commit/e1f438970e5a337a17070a637c1b9e19697cad09'),
        reference('https://www.openssh.com/txt/release-9.8'),
      ],
      { products: [anyVersion('openbsd:openssh')], assigner: 'secalert@redhat.com' },
    );
    assert.deepEqual([fix.kind, fix.url], ['release', 'https://www.openssh.com/txt/release-9.8']);
  });

  test('Fortinet under its other name', () => {
    const { fix } = fixOf([reference('https://fortiguard.com/psirt/FG-IR-24-015')], {
      products: [anyVersion('fortinet:fortios')],
    });
    assert.equal(fix.kind, 'advisory');
  });

  test('a broken link comes last', () => {
    const [broken, whole] = [
      reference('https://a.example/1', 'Patch', 'Broken Link'),
      reference('https://b.example/1', 'Patch'),
    ];
    assert.equal(fixOf([broken, whole]).fix.url, whole.url);
    assert.equal(fixOf([broken]).fix.url, broken.url);
  });
});

suite('whether there is a fix', () => {
  test('nothing known is null, an advisory alone too', () => {
    assert.deepEqual(fixOf([]), { patch_available: null, fix: { kind: 'none_known', url: null, versions: [] } });
    // EternalBlue (CVE-2017-0144) in the NVD.
    const msrc = reference(
      'https://portal.msrc.microsoft.com/en-US/security-guidance/advisory/CVE-2017-0144',
      'Vendor Advisory',
    );
    const eternalBlue = fixOf([reference('https://www.exploit-db.com/exploits/42031/'), msrc], {
      products: [anyVersion('microsoft:server_message_block')],
      assigner: 'secure@microsoft.com',
    });
    assert.deepEqual(eternalBlue, { patch_available: null, fix: { kind: 'advisory', url: msrc.url, versions: [] } });
    // CISA's words in the known-exploited catalog.
    const known = withKevAction(eternalBlue, 'Apply updates per vendor instructions.');
    assert.deepEqual([known.patch_available, known.fix], [true, eternalBlue.fix]);
    const mitigations =
      'Apply mitigations per vendor instructions or discontinue use of the product if mitigations are unavailable.';
    assert.equal(withKevAction(eternalBlue, mitigations).patch_available, null);
    const unlessUnavailable =
      'Apply updates per vendor instructions or discontinue use of the product if updates are unavailable.';
    assert.equal(withKevAction(eternalBlue, unlessUnavailable).patch_available, null);
    const perhaps = 'The impacted product could be end-of-life (EoL) and/or end-of-service (EoS).';
    assert.equal(withKevAction(eternalBlue, perhaps).patch_available, null);
  });

  test('false only where a source says so', () => {
    const unsupported = fixOf([], { tags: ['unsupported-when-assigned'] });
    assert.equal(unsupported.patch_available, false);
    const endOfLife = 'The impacted product is end-of-life and should be disconnected if still in use.';
    assert.equal(withKevAction(fixOf([]), endOfLife).patch_available, false);
    assert.equal(withKevAction(fixOf([reference('https://a.example/', 'Patch')]), endOfLife).patch_available, true);
  });

  test('the first fixed versions are those of the product that the CVE is about', () => {
    const { patch_available, fix } = fixOf([], {
      products: [
        anyVersion('openssl:openssl', { start_including: '1.1.1', end_excluding: '1.1.1n' }),
        anyVersion('openssl:openssl', { start_including: '3.0.0', end_excluding: '3.0.2' }),
        anyVersion('netapp:clustered_data_ontap', { end_excluding: '9.9' }),
        anyVersion('openssl:openssl', { end_including: '1.0.2' }),
      ],
    });
    assert.deepEqual([patch_available, fix], [true, { kind: 'release', url: null, versions: ['1.1.1n', '3.0.2'] }]);
    assert.equal(
      fixOf([], { products: [anyVersion('a:b'), anyVersion('c:d', { end_excluding: '2' })] }).patch_available,
      null,
    );
  });
});
