import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { COMMON_DKIM_SELECTORS, isDkimSelector, parseDkimKey } from '../../../src/analysis/email/dkim-key.ts';
import {
  parseBimiRecord,
  isHostCovered,
  parseMtaStsRecord,
  parseMtaStsPolicy,
  parseTlsRptRecord,
} from '../../../src/analysis/email/transport-records.ts';

describe('DKIM keys', () => {
  for (const bits of [512, 768, 1024, 2048, 4096]) {
    test(`RSA of ${bits} bits, in both of its wrappings`, () => {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
      for (const type of ['spki', 'pkcs1'] as const) {
        const key = parseDkimKey(`v=DKIM1; k=rsa; p=${publicKey.export({ type, format: 'der' }).toString('base64')}`);
        assert.deepEqual(key, { keyType: 'rsa', bits, revoked: false, testing: false, sha1Only: false, valid: true });
      }
    });
  }

  test('Ed25519, as in RFC 8463, appendix A.2', () => {
    const key = parseDkimKey('v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=');
    assert.deepEqual([key?.keyType, key?.bits, key?.valid], ['ed25519', 256, true]);
  });

  test('the key of RFC 6376, appendix C: 1024 bits, folded over lines', () => {
    const key = parseDkimKey(
      'v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYt IxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gb to/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB',
    );
    assert.equal(key?.bits, 1024);
  });

  test('withdrawn, in test mode, for SHA-1 alone', () => {
    assert.equal(parseDkimKey('v=DKIM1; p=')?.revoked, true);
    assert.equal(parseDkimKey('t=y:s; p=AA==')?.testing, true);
    assert.equal(parseDkimKey('t=s; p=AA==')?.testing, false);
    assert.equal(parseDkimKey('h=sha1; p=AA==')?.sha1Only, true);
    assert.equal(parseDkimKey('h=sha1:sha256; p=AA==')?.sha1Only, false);
  });

  test('no key', () => {
    for (const text of ['v=spf1 -all', 'v=DKIM2; p=AA==', 'k=rsa; v=DKIM1; p=AA==', 'hello', '', 'p=a; p=b'])
      assert.equal(parseDkimKey(text), null, text);
    for (const text of ['p=AA==', 'p=***', 'p=MIGfMA0GCSqGSIb3', 'k=ed25519; p=AAAA', 'k=rsa; p=MP8='])
      assert.equal(parseDkimKey(text)?.valid, false, text);
  });

  test('selectors', () => {
    assert.ok(COMMON_DKIM_SELECTORS.length >= 30);
    for (const selector of [...COMMON_DKIM_SELECTORS, 'a.b', 's_1']) assert.ok(isDkimSelector(selector), selector);
    for (const text of ['', '-a', 'a-', 'a..b', 'a b', 'a'.repeat(64), 'a/b']) assert.ok(!isDkimSelector(text), text);
    assert.equal(new Set(COMMON_DKIM_SELECTORS).size, COMMON_DKIM_SELECTORS.length);
  });
});

describe('MTA-STS', () => {
  test('the example of RFC 8461, section 3.2', () => {
    const policy = parseMtaStsPolicy(
      'version: STSv1\nmode: enforce\nmx: mail.example.com\nmx: *.example.net\nmx: backupmx.example.com\nmax_age: 604800\n',
    );
    assert.ok(typeof policy !== 'string');
    assert.equal(policy.maxAge, 604_800);
    for (const [host, covered] of [
      ['mail.example.com', true],
      ['MAIL.example.com', true],
      ['a.example.net', true],
      ['a.b.example.net', false],
      ['example.net', false],
      ['other.example.com', false],
    ] as const)
      assert.equal(isHostCovered(policy, host), covered, host);
  });

  test('policies that cannot be used', () => {
    for (const [body, why] of [
      ['mode: enforce\nmx: a.example\nmax_age: 1', /version/],
      ['version: STSv1\nmode: strict\nmx: a.example\nmax_age: 1', /mode/],
      ['version: STSv1\nmode: enforce\nmx: a.example\nmax_age: 31557601', /max_age/],
      ['version: STSv1\nmode: enforce\nmax_age: 1', /mail server/],
      ['<html>', /version/],
    ] as const)
      assert.match(String(parseMtaStsPolicy(body)), why);
    assert.notEqual(typeof parseMtaStsPolicy('version: STSv1\nmode: none\nmax_age: 1'), 'string');
  });

  test('records', () => {
    assert.deepEqual(parseMtaStsRecord(['v=STSv1; id=20160831085700Z;']), {
      text: 'v=STSv1; id=20160831085700Z;',
      id: '20160831085700Z',
    });
    assert.equal(parseMtaStsRecord(['v=STSv1; id=a-b'])?.id, null);
    assert.equal(parseMtaStsRecord(['v=STSv1; id=1', 'v=STSv1; id=2']), null, 'several count as none');
    assert.equal(parseMtaStsRecord(['other']), null);
  });
});

test('TLS-RPT: addresses of both kinds (RFC 8460, section 3)', () => {
  assert.deepEqual(parseTlsRptRecord(['v=TLSRPTv1; rua=mailto:r@example.com,https://r.example.com/v1'])?.ruaUris, [
    'mailto:r@example.com',
    'https://r.example.com/v1',
  ]);
  assert.deepEqual(parseTlsRptRecord(['v=TLSRPTv1; rua=ftp://x'])?.ruaUris, []);
  assert.equal(parseTlsRptRecord(['v=TLSRPTv2']), null);
});

test('BIMI: logo, certificate, and a domain that declines', () => {
  assert.deepEqual(parseBimiRecord(['v=BIMI1; l=; a=;']), {
    text: 'v=BIMI1; l=; a=;',
    logo: null,
    evidence: null,
    problems: [],
  });
  assert.deepEqual(parseBimiRecord(['v=BIMI1; a=ftp://e.example/x', 'v=BIMI1; l='])?.problems, [
    'there are several records',
    'there is no l tag',
    'a is not an https URL',
  ]);
  assert.equal(parseBimiRecord(['v=BIMI1; l=https://e.example/l.svg'])?.logo, 'https://e.example/l.svg');
  assert.equal(parseBimiRecord(['v=BIMI1; l=http://e.example/l.svg'])?.logo, null);
  assert.equal(parseBimiRecord([]), null);
});
