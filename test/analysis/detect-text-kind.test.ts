import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { detectTextKind } from '../../src/analysis/detect-text-kind.ts';
import { isHeaderText, parseHeaderText } from '../../src/analysis/headers/parse-header-text.ts';
import { sharedPath } from '../support/shared.ts';

const suite = sharedPath('suites/lockfiles/files');
/** Folders of the suite, by the format of their files. */
const FORMATS: Readonly<Record<string, string>> = {
  cargolock: 'Cargo.lock',
  composerlock: 'composer.lock',
  gemfilelock: 'Gemfile.lock',
  gomod: 'go.mod',
  gradlelockfile: 'gradle.lockfile',
  packagelockjson: 'package-lock.json',
  pipfilelock: 'Pipfile.lock',
  pnpmlock: 'pnpm-lock.yaml',
  poetrylock: 'poetry.lock',
  pomxml: 'pom.xml',
  requirements: 'requirements.txt',
  yarnlock: 'yarn.lock',
};
/** Files of the suite that are of no format. */
const OF_NO_FORMAT = /^not-|only-comments|\.sum$/;

test('lockfiles of the suite are recognised without their names', { skip: suite === null && 'no suites' }, () => {
  let count = 0;
  for (const [folder, format] of Object.entries(FORMATS)) {
    for (const entry of readdirSync(join(suite!, folder), { withFileTypes: true })) {
      const file = entry.name;
      if (!entry.isFile() || OF_NO_FORMAT.test(file)) continue;
      const text = readFileSync(join(suite!, folder, file), 'utf8');
      assert.deepEqual(detectTextKind(text), { kind: 'lockfile', format }, `${folder}/${file}`);
      count++;
    }
  }
  assert.ok(count > 40);
});

test('SBOMs, lists, headers and code are told apart', () => {
  const kindOf = (text: string, filename = ''): string => detectTextKind(text, filename).kind;
  assert.equal(kindOf('{"bomFormat": "CycloneDX", "specVersion": "1.6"}'), 'sbom');
  assert.equal(kindOf('SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\n'), 'sbom');
  assert.deepEqual(detectTextKind('pkg:npm/express@4.16.0\n# a note\n@babel/core@7.0.0\n'), {
    kind: 'packages',
    packages: ['pkg:npm/express@4.16.0', '@babel/core@7.0.0'],
  });
  assert.equal(kindOf('HTTP/2 200\nserver: nginx\n'), 'headers');
  assert.equal(kindOf('Strict-Transport-Security: max-age=1\nX-Frame-Options: DENY'), 'headers');
  assert.deepEqual(detectTextKind('a = 1\n', 'main.py'), { kind: 'code', language: 'python' });
  assert.equal(kindOf('note: this is text\nmore: of it\n'), 'code');
  assert.equal(kindOf('{"dependencies": {}}', 'package.json'), 'unsupported');
  assert.equal(kindOf('\u007fELF\0\0'), 'unsupported');
});

test('pasted text is recognised without the comment that tools write at its beginning', () => {
  const formats: readonly [text: string, format: string][] = [
    ['lodash@^4.17.0:\n  version "4.17.20"\n  resolved "https://registry.yarnpkg.com/lodash.tgz#x"\n', 'yarn.lock'],
    ['GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (2.0)\n\nDEPENDENCIES\n  rack\n', 'Gemfile.lock'],
    ['module example.com/x // a note\n\ngo 1.21\n', 'go.mod'],
    ['a:b:1.0=compile,runtime\nempty=\n', 'gradle.lockfile'],
    ['git+https://github.com/a/b@v1\nflask==1.0\n', 'requirements.txt'],
  ];
  for (const [text, format] of formats) assert.deepEqual(detectTextKind(text), { kind: 'lockfile', format }, text);
});

test('pasted manifests and go.sum do not say which versions are installed: what to give is named, as for the file', () => {
  const sum = `github.com/a/b v1.0.0 h1:${'a'.repeat(43)}=\ngithub.com/a/b v1.0.0/go.mod h1:${'b'.repeat(43)}=\n`;
  const manifests: readonly [text: string, instead: RegExp][] = [
    [sum, /Give go\.mod/],
    ['{"name": "x", "dependencies": {"lodash": "^4"}}', /Give package-lock\.json/],
    ['{"require": {"php": ">=8", "a/b": "^1"}}', /Give composer\.lock/],
    ["source 'https://rubygems.org'\ngem 'rails', '~> 7'\n", /Give Gemfile\.lock/],
    ['[package]\nname = "x"\n[dependencies]\nserde = "1"\n', /Give Cargo\.lock/],
    ['[project]\nname = "x"\ndependencies = [\n "a>=1",\n]\n', /Give poetry\.lock/],
    ["plugins { id 'java' }\ndependencies {\n  implementation 'a:b:1'\n}\n", /Give gradle\.lockfile/],
    ['<Project Sdk="x"><ItemGroup><PackageReference Include="a" /></ItemGroup></Project>', /Give packages\.lock\.json/],
  ];
  for (const [text, instead] of manifests) {
    const kind = detectTextKind(text);
    assert.equal(kind.kind, 'unsupported', text);
    assert.match((kind as { why: string }).why, instead);
  }
  assert.equal(detectTextKind('{"compilerOptions": {"strict": true}}').kind, 'code');
  assert.equal(detectTextKind(`${sum}not a line of it\n`).kind, 'code');
});

test('headers: repeated ones are a list, folded ones joined, and of redirects the last response counts', () => {
  const text =
    'HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nCSP: a\r\n  b\r\n';
  assert.deepEqual(parseHeaderText(text), { headers: { 'Set-Cookie': ['a=1', 'b=2'], CSP: ['a b'] }, other: 0 });
  assert.deepEqual(parseHeaderText('< server: nginx\n< x-a:\n* info').headers, { server: ['nginx'], 'x-a': [''] });
  assert.equal(isHeaderText('key: value\nother: value\n'), false);
});
