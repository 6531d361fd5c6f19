import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findBenignInfrastructure } from '../../../src/analysis/indicators/benign-infrastructure.ts';
import { detectHashType, parseIndicator } from '../../../src/analysis/indicators/parse-indicator.ts';
import { refang } from '../../../src/analysis/indicators/refang.ts';
import { cpuMs } from '../../support/cpu-time.ts';

describe('defanged forms', () => {
  for (const [given, plain] of [
    ['hxxp://evil[.]com', 'http://evil.com'],
    ['hxxps://evil[.]com/a?b=c', 'https://evil.com/a?b=c'],
    ['hXXps://evil[.]com', 'https://evil.com'],
    ['h**p://evil.com', 'http://evil.com'],
    ['http[:]//evil.com', 'http://evil.com'],
    ['hxxp[://]evil[.]com', 'http://evil.com'],
    ['hxxp[:]//evil[.]com[/]x', 'http://evil.com/x'],
    ['evil[.]com', 'evil.com'],
    ['evil(.)com', 'evil.com'],
    ['evil{.}com', 'evil.com'],
    ['evil[dot]com', 'evil.com'],
    ['sub(dot)evil[DOT]com', 'sub.evil.com'],
    ['1.2.3[.]4', '1.2.3.4'],
    ['1[.]2[.]3[.]4', '1.2.3.4'],
    ['1.2.3[.4', '1.2.3.4'],
    ['2001:db8[:]:1', '2001:db8::1'],
    ['fxp://evil[.]com/x', 'ftp://evil.com/x'],
    ['<hxxp://evil[.]com>', 'http://evil.com'],
    ['"evil[.]com"', 'evil.com'],
    ['hxxp%5B:%5D//evil%5B.%5Dcom', 'http://evil.com'],
    ['  evil[.]com \n', 'evil.com'],
    // Written plainly, they stay as they are.
    ['http://[2001:db8::1]:8080/a[1].txt', 'http://[2001:db8::1]:8080/a[1].txt'],
    ['https://example.com/a(b).c', 'https://example.com/a(b).c'],
  ] as const) {
    test(given.trim(), () => assert.equal(refang(given), plain));
  }
});

describe('kinds', () => {
  const kind = (text: string): string | null => {
    const found = parseIndicator(text);
    return found && `${found.type} ${found.value}`;
  };
  for (const [given, expected] of [
    ['8.8.8[.]8', 'ip 8.8.8.8'],
    ['8.8.8.8:53', 'ip 8.8.8.8'],
    ['[2001:4860:4860::8888]:443', 'ip 2001:4860:4860::8888'],
    ['2001:4860:4860:0:0:0:0:8888', 'ip 2001:4860:4860::8888'],
    ['EVIL[.]Example.COM.', 'domain evil.example.com'],
    ['bücher.example', 'domain xn--bcher-kva.example'],
    ['HXXP://Evil[.]example/Path?Q=1#top', 'url http://evil.example/Path?Q=1'],
    ['https://8.8.8.8:8443/x', 'url https://8.8.8.8:8443/x'],
    ['http://187.107.132.33:19623/.i', 'url http://187.107.132.33:19623/.i'],
    ['ftp://evil.example/x', 'url ftp://evil.example/x'],
    ['D41D8CD98F00B204E9800998ECF8427E', 'hash d41d8cd98f00b204e9800998ecf8427e'],
    ['da39a3ee5e6b4b0d3255bfef95601890afd80709', 'hash da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ] as const) {
    test(given, () => assert.equal(kind(given), expected));
  }
  for (const given of [
    '',
    'hello',
    'evil.com/path',
    '10.0.0.1',
    '127.0.0[.]1',
    '192.168.1.1:80',
    '::1',
    '::ffff:10.0.0.1',
    'fe80::1',
    'http://10.0.0.1/',
    'hxxp://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::a00:1]/',
    'https://user:secret@evil.example/',
    'https://user@evil.example/',
    'http://localhost/',
    'http://intranet/',
    'http:evil.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'a@evil.example',
    'deadbeef',
    'g'.repeat(32),
    'a'.repeat(33),
    `${'a'.repeat(2100)}.example`,
    `http://evil.example/${'a'.repeat(2100)}`,
    '\u0000',
    '[.]',
    '[[[[[[',
  ]) {
    test(`${JSON.stringify(given.slice(0, 40))} is none`, () => assert.equal(kind(given), null));
  }
  test('hashes by their length', () => {
    assert.deepEqual(
      [32, 40, 64, 31, 48, 128].map((n) => detectHashType('a'.repeat(n))),
      ['md5', 'sha1', 'sha256', null, null, null],
    );
  });
  test('a long line of brackets takes no time', () => {
    const start = cpuMs();
    for (const piece of ['[', '[.', '(dot', ' ', '%5b', '[:', '<']) parseIndicator(piece.repeat(2048 / piece.length));
    assert.ok(cpuMs() - start < 500);
  });
});

describe('well-known infrastructure', () => {
  for (const [host, kind] of [
    ['1.1.1.1', 'public_resolver'],
    ['2001:4860:4860::8888', 'public_resolver'],
    ['d111111abcdef8.cloudfront.net', 'cdn'],
    ['download.windowsupdate.com', 'os_updates'],
    ['raw.githubusercontent.com', 'shared_hosting'],
    ['github.com', 'shared_hosting'],
  ] as const) {
    test(`${host}: ${kind}`, () => assert.equal(findBenignInfrastructure(host)?.kind, kind));
  }
  for (const host of ['1.1.1.2', 'evilgithub.com', 'github.com.evil.example', 'com', 'example.com', '8.8.8.80']) {
    test(`${host} is none`, () => assert.equal(findBenignInfrastructure(host), null));
  }
});
