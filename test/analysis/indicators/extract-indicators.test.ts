import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { extractIndicators } from '../../../src/analysis/indicators/extract-indicators.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const found = (text: string): string[] => extractIndicators(text).map(({ type, value }) => `${type} ${value}`);

describe('indicators of a text: what is there', () => {
  for (const [text, ...expected] of [
    ['hxxps[:]//cdn[.]bad-host[.]com/a.php?x=1', 'url https://cdn.bad-host.com/a.php?x=1'],
    ['see hxxp://bad-host[.]com/x).', 'url http://bad-host.com/x'],
    ['https://en.wikipedia.org/wiki/A_(b), or so', 'url https://en.wikipedia.org/wiki/A_(b)'],
    ['bad-host(dot)com and bad{.}org', 'domain bad-host.com', 'domain bad.org'],
    ['the file setup[.]zip is a site here', 'domain setup.zip'],
    ['user[at]bad-host[.]com', 'email user@bad-host.com'],
    ['192[.]0[.]2[.]7:8080, 10.0.0.8', 'ipv4 192.0.2.7', 'ipv4 10.0.0.8'],
    ['[2001:DB8::1]:443', 'ipv6 2001:db8::1'],
    ['CVE\u20132021\u201344228 cve-2019-0708', 'cve CVE-2021-44228', 'cve CVE-2019-0708'],
    ['MD5=D41D8CD98F00B204E9800998ECF8427E', 'md5 d41d8cd98f00b204e9800998ecf8427e'],
    ['bad\u200b-host[.]com', 'domain bad-host.com'],
    ['bad-host.com bad-host.com', 'domain bad-host.com'],
  ] as const) {
    test(text, () => assert.deepEqual(found(text), expected));
  }
});

describe('indicators of a text: what is none', () => {
  for (const text of [
    'version 10.2.3.4 of it, Firefox/115.0.2.1, v1.2.3.4',
    'open README.md, run setup.py or install.sh; main.rs, data.zip',
    'window.location.host and process.env.NAME.id',
    '{"rule.id": 5, "user.name": "x"}',
    'System.Net.Sockets and foo.bar.com()',
    '00:11:22:33:44:55 at 10:15:22, std::vector, a::b',
    'npm i react@18.2.0 @types/node@20.1.0',
    '1.3.6.1.4.1.311.2 and 999.1.1.1, 1.2.3',
    '12345678901234567890123456789012 and a sha512 ' + 'ab12'.repeat(32),
    'e.g. this, i.e. that, U.S.A.',
  ]) {
    test(text, () => assert.deepEqual(found(text), []));
  }
});

test('long texts made to be slow take no longer than others', () => {
  const started = cpuMs();
  for (const part of ['a.', 'a@', '1.', ':a', 'http://', 'a-', '[.]', '1 . ', ' AT a', '((', 'x.com/', 'hxxp[', "'"]) {
    extractIndicators(part.repeat(Math.ceil(300_000 / part.length)));
  }
  assert.ok(cpuMs() - started < 15_000, `${(cpuMs() - started).toFixed(0)} ms`);
});
