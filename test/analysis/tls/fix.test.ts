import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { suggestTlsSettings } from '../../../src/analysis/tls/tls-fix.ts';

test('settings to paste are given where settings are at fault, and not for a certificate', () => {
  assert.deepEqual(suggestTlsSettings([{ id: 'expired' }, { id: 'incomplete_chain' }]), []);
  const servers = suggestTlsSettings([{ id: 'expired' }, { id: 'old_protocol' }]).map(({ server }) => server);
  assert.deepEqual(servers, ['nginx', 'Apache', 'Node']);
});

test('OpenSSL knows every suite and group of the lines', () => {
  const [nginx] = suggestTlsSettings([{ id: 'no_aead' }]);
  const [, ciphers] = /ssl_ciphers ([^;]+);/.exec(nginx!.lines)!;
  const [, groups] = /ssl_ecdh_curve ([^;]+);/.exec(nginx!.lines)!;
  for (const cipher of ciphers!.split(':')) createSecureContext({ ciphers: cipher });
  for (const ecdhCurve of groups!.split(':')) createSecureContext({ ecdhCurve });
  assert.throws(() => createSecureContext({ ciphers: 'NO-SUCH-SUITE' }));
});
