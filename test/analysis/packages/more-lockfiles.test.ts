import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scopeOf } from '../../../src/analysis/packages/dependency-scope.ts';
import {
  type DocumentPackages,
  isUnsupportedLockfile,
  readLockfile,
  readSbom,
} from '../../../src/analysis/packages/read-document.ts';

function document(filename: string, text: string, companions: Record<string, string> = {}): DocumentPackages {
  const { read, error: fault } = readLockfile({ text, filename, companions });
  assert.equal(fault, null);
  return read!;
}

/** `npm lodash 4.17.21`, and `(dev)` where it is for development alone; other scopes likewise. */
function read(filename: string, text: string, companions: Record<string, string> = {}): string[] {
  return document(filename, text, companions).packages.map(
    ({ ecosystem, name, version, ways = [] }) =>
      `${ecosystem} ${name} ${version}${scopeOf(ways) === null ? '' : ` (${scopeOf(ways)})`}`,
  );
}

describe('uv.lock', () => {
  const UV = `version = 1
requires-python = ">=3.12"

[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }
dependencies = [{ name = "requests" }]

[package.dev-dependencies]
dev = [{ name = "pytest" }]

[package.optional-dependencies]
web = [{ name = "jinja2" }]

[[package]]
name = "requests"
version = "2.31.0"
source = { registry = "https://pypi.example/simple" }
dependencies = [{ name = "idna" }]

[[package]]
name = "idna"
version = "3.6"
source = { registry = "https://pypi.example/simple" }

[[package]]
name = "jinja2"
version = "3.1.2"
source = { registry = "https://pypi.example/simple" }

[[package]]
name = "pytest"
version = "8.0.0"
source = { registry = "https://pypi.example/simple" }
dependencies = [{ name = "idna" }, { name = "pluggy" }]

[[package]]
name = "pluggy"
version = "1.4.0"
source = { git = "https://example.com/pluggy?rev=1#0123456789abcdef0123456789abcdef01234567" }
`;

  test('all packages but the project, and which are for development alone', () => {
    assert.deepEqual(read('uv.lock', UV), [
      'PyPI requests 2.31.0',
      'PyPI idna 3.6',
      'PyPI jinja2 3.1.2 (optional)',
      'PyPI pytest 8.0.0 (dev)',
      'PyPI pluggy 1.4.0 (dev)',
    ]);
  });
});

describe('other files of Python', () => {
  test('pylock.toml (PEP 751)', () => {
    const text = `lock-version = "1.0"\n[[packages]]\nname = "attrs"\nversion = "25.1.0"\n[[packages]]\nname = "local"\ndirectory = { path = "." }\n`;
    assert.deepEqual(read('pylock.dev.toml', text), ['PyPI attrs 25.1.0', 'PyPI local ']);
  });

  test('pdm.lock', () => {
    const text = `[[package]]\nname = "a"\nversion = "1.0"\ngroups = ["default"]\n[[package]]\nname = "b"\nversion = "2.0"\ngroups = ["dev"]\n`;
    assert.deepEqual(read('pdm.lock', text), ['PyPI a 1.0', 'PyPI b 2.0 (dev)']);
  });

  test('poetry.lock: groups of version 2.1, categories of old ones', () => {
    const text = `[[package]]\nname = "a"\nversion = "1.0"\ngroups = ["main", "dev"]\n[[package]]\nname = "b"\nversion = "2.0"\ngroups = ["docs"]\n[[package]]\nname = "c"\nversion = "3.0"\ncategory = "dev"\n`;
    assert.deepEqual(read('poetry.lock', text), ['PyPI a 1.0', 'PyPI b 2.0 (dev)', 'PyPI c 3.0 (dev)']);
  });

  test('Pipfile.lock: what has no version is a gap', () => {
    const text = JSON.stringify({
      default: { a: { version: '==1.0' }, b: { path: '.' } },
      develop: { c: { version: '==2.0' } },
    });
    const { packages, gaps } = document('Pipfile.lock', text);
    assert.deepEqual(
      packages.map(({ name, ways = [] }) => [name, scopeOf(ways)]),
      [
        ['a', null],
        ['c', 'dev'],
      ],
    );
    assert.deepEqual(gaps, ['b has no version in the file']);
  });

  test('files of the folder requirements', () => {
    assert.deepEqual(read('app/requirements/dev.txt', 'six==1.0\n'), ['PyPI six 1.0']);
  });
});

describe('bun.lock', () => {
  const BUN = `{
  // a comment, and commas that JSON has not
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "app", "dependencies": { "a": "^1.0.0" }, "devDependencies": { "@s/d": "1.0.0", }, },
    "packages/part": { "name": "part", "dependencies": { "g": "github:x/g" } },
  },
  "packages": {
    "a": ["a@1.2.3", "", { "dependencies": { "b": "^2.0.0" } }, "sha512-aa=="],
    "b": ["b@1.0.0", "", {}, "sha512-//,}=="],
    "a/b": ["b@2.0.0", "", {}, "sha512-cc=="],
    "@s/d": ["@s/d@1.0.0", "", { "dependencies": { "b": "^1.0.0" } }, "sha512-dd=="],
    "g": ["g@github:x/g#0123456789abcdef0123456789abcdef01234567", {}, "x-g-0123456"],
    "part": ["part@workspace:packages/part"],
  },
}
`;

  test('packages by their paths, and which are for development alone', () => {
    assert.deepEqual(read('bun.lock', BUN), [
      'npm a 1.2.3',
      'npm b 1.0.0 (dev)',
      'npm b 2.0.0',
      'npm @s/d 1.0.0 (dev)',
      'npm g ',
    ]);
  });
});

describe('deno.lock', () => {
  for (const [version, npm] of [
    ['2', { npm: { packages: { 'chalk@5.3.0': {}, '@s/p@1.0.0_peer@2.0.0': {} } } }],
    ['3', { packages: { npm: { 'chalk@5.3.0': {}, '@s/p@1.0.0_peer@2.0.0': {} } } }],
    ['5', { npm: { 'chalk@5.3.0': {}, '@s/p@1.0.0_peer@2.0.0': {} } }],
  ] as const) {
    test(`of version ${version}`, () => {
      assert.deepEqual(read('deno.lock', JSON.stringify({ version, ...npm })), ['npm chalk 5.3.0', 'npm @s/p 1.0.0']);
    });
  }
});

describe('yarn.lock', () => {
  test('of version 1 with its fields in quotation marks', () => {
    const text =
      '# yarn lockfile v1\n\n"lodash@^4.17.20":\n  "integrity" "sha512-x"\n  "resolved" "https://registry.example/lodash.tgz"\n  "version" "4.17.20"\n';
    assert.deepEqual(read('yarn.lock', text), ['npm lodash 4.17.20']);
  });

  test('a block without a version is a gap', () => {
    const { packages, gaps } = document('yarn.lock', '# yarn lockfile v1\n\na@^1:\n  resolved "x"\n');
    assert.deepEqual([packages, gaps], [[], ['no version was found of a@^1']]);
  });
});

describe('pnpm-lock.yaml', () => {
  const V9 = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      is-positive:
        specifier: github:kevva/is-positive
        version: https://codeload.example/kevva/is-positive/tar.gz/0123456789abcdef0123456789abcdef01234567
      a: {specifier: ^1.0.0, version: 1.0.0(b@2.0.0)}
    devDependencies:
      c: {specifier: ^3.0.0, version: 3.0.0}
packages:
  a@1.0.0: {resolution: {integrity: x}}
  b@2.0.0: {resolution: {integrity: x}}
  c@3.0.0: {resolution: {integrity: x}}
  is-positive@https://codeload.example/kevva/is-positive/tar.gz/0123456789abcdef0123456789abcdef01234567:
    resolution: {tarball: https://codeload.example/kevva/is-positive/tar.gz/0123456789abcdef0123456789abcdef01234567}
    version: 3.1.0
  local@file:local.tgz: {resolution: {tarball: file:local.tgz}, version: 0.5.0}
snapshots:
  a@1.0.0(b@2.0.0):
    dependencies:
      b: 2.0.0
  b@2.0.0: {}
  c@3.0.0: {}
  is-positive@https://codeload.example/kevva/is-positive/tar.gz/0123456789abcdef0123456789abcdef01234567: {}
`;

  test('of version 9: archives of repositories, and what is for development alone', () => {
    assert.deepEqual(read('pnpm-lock.yaml', V9), [
      'npm a 1.0.0',
      'npm b 2.0.0',
      'npm c 3.0.0 (dev)',
      'npm is-positive 3.1.0',
      'npm local 0.5.0',
    ]);
  });

  test('of version 5: peers after `_`, and in its first releases after `/`', () => {
    const paths = [
      '/foo/1.0.0/bar@2.0.0',
      '/foo/2.0.0_bar@1.0.0+baz@2.0.0',
      '/@s/n/0.1.0_abcdef',
      'registry.example/@s/n/0.2.0',
    ];
    const text = `lockfileVersion: 5.4\npackages:\n${paths.map((path) => `  ${path}:\n    resolution: {integrity: x}\n`).join('')}`;
    assert.deepEqual(read('pnpm-lock.yaml', text), [
      'npm foo 1.0.0',
      'npm foo 2.0.0',
      'npm @s/n 0.1.0',
      'npm @s/n 0.2.0',
    ]);
  });

  test('an entry that is not understood is a gap', () => {
    const { packages, gaps } = document(
      'pnpm-lock.yaml',
      "lockfileVersion: '6.0'\npackages:\n  weird: {resolution: {}}\n",
    );
    assert.deepEqual([packages, gaps], [[], ['no version was found of weird']]);
  });
});

describe('package-lock.json', () => {
  test('scopes, and a package that was copied into the project', () => {
    const packages = {
      '': { dependencies: { etag: 'file:deps/etag' } },
      'node_modules/a': { version: '1.0.0', dev: true },
      'node_modules/b': { version: '1.0.0', devOptional: true },
      'node_modules/etag': { resolved: 'deps/etag', link: true },
      'deps/etag': { version: '1.8.0' },
      'packages/own': { version: '0.0.1' },
    };
    assert.deepEqual(read('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages })), [
      'npm a 1.0.0 (dev)',
      'npm b 1.0.0 (optional)',
      'npm etag 1.8.0',
    ]);
  });

  test('what one place needs to run is not for development alone', () => {
    const dependencies = {
      a: { version: '1.0.0', dev: true },
      b: { version: '1.0.0', dependencies: { a: { version: '1.0.0' } } },
    };
    assert.deepEqual(read('package-lock.json', JSON.stringify({ lockfileVersion: 1, dependencies })), [
      'npm a 1.0.0',
      'npm b 1.0.0',
    ]);
  });
});

describe('pom.xml', () => {
  const dependency = (id: string, version: string, more = ''): string =>
    `<dependency><groupId>g</groupId><artifactId>${id}</artifactId><version>${version}</version>${more}</dependency>`;
  const PARENT = `<project><groupId>g</groupId><artifactId>p</artifactId><version>7</version><dependencies>${dependency('inherited', '9')}</dependencies></project>`;
  const child = (relative: string, artifact = 'p'): string =>
    `<project><parent><groupId>g</groupId><artifactId>${artifact}</artifactId><version>7</version>${relative}</parent><artifactId>c</artifactId></project>`;

  test('dependencies of profiles, with the properties of each', () => {
    const pom = `<project><groupId>g</groupId><artifactId>a</artifactId><version>1</version><profiles>
      <profile><id>one</id><properties><v>1.5</v></properties><dependencies>${dependency('b', '${v}')}</dependencies></profile>
      <profile><id>two</id><activation><activeByDefault>true</activeByDefault></activation>
        <dependencies>${dependency('c', '2.0', '<scope>test</scope>')}</dependencies></profile></profiles></project>`;
    assert.deepEqual(read('pom.xml', pom).sort(), ['Maven g:b 1.5', 'Maven g:c 2.0 (dev)']);
  });

  test('an empty relativePath takes no file beside it for the parent (Maven, "POM Reference")', () => {
    const companions = { '../pom.xml': PARENT };
    assert.deepEqual(read('pom.xml', child(''), companions), ['Maven g:inherited 9']);
    assert.deepEqual(read('pom.xml', child('<relativePath/>'), companions), []);
    assert.deepEqual(read('pom.xml', child('<relativePath></relativePath>'), companions), []);
  });

  test('a file of another artifact is not the parent', () => {
    assert.deepEqual(read('pom.xml', child('', 'other'), { '../pom.xml': PARENT }), []);
  });

  test('a range of versions is not the version that is installed', () => {
    const pom = `<project><groupId>g</groupId><artifactId>a</artifactId><dependencies>${dependency('b', '[1.0,2.0)')}${dependency('c', '[1.5]')}</dependencies></project>`;
    const { packages } = document('pom.xml', pom);
    assert.deepEqual(
      packages.map(({ version }) => version),
      ['[1.0,2.0)', '1.5'],
    );
    assert.match(packages[0]!.problem!, /range/);
    assert.equal(packages[1]!.problem, undefined);
  });

  test('what no file read resolves is named, and not guessed', () => {
    const management = `<dependencyManagement><dependencies>${dependency('b', '2.0')}${dependency('bom', '3.0', '<type>pom</type><scope>import</scope>')}
      ${dependency('b', '9.0', '<classifier>tests</classifier>')}</dependencies></dependencyManagement>`;
    const without = (id: string): string =>
      `<dependency><groupId>g</groupId><artifactId>${id}</artifactId></dependency>`;
    const pom = child('').replace(
      '</project>',
      `${management}<profiles><profile><id>one</id><properties><only>1</only></properties></profile></profiles>
      <dependencies>${without('b')}${without('from-bom')}${dependency('c', '${revision}')}${dependency('d', '${only}')}</dependencies></project>`,
    );
    const { packages, gaps } = document('pom.xml', pom);
    assert.deepEqual(
      packages.map(({ name, version, problem = '' }) => [name, version, problem]),
      [
        ['g:b', '2.0', ''],
        ['g:from-bom', '', 'its version is managed in a file that was not read'],
        ['g:c', '${revision}', 'its version is the property revision, which no file read defines'],
        ['g:d', '${only}', 'its version is the property only, which no file read defines'],
      ],
    );
    assert.deepEqual(gaps, [
      'its parent g:p:7 was not read: what that declares is not known',
      'the dependency management of g:bom:3.0, which it imports, was not read',
    ]);
  });

  test('XML that is not well formed is refused (XML 1.0, section 2.1)', () => {
    for (const text of ['<project><dependencies></project>', '<project>', '<project><${x}>1</${x}></project>']) {
      assert.notEqual(readLockfile({ text, filename: 'pom.xml' }).error, null, text);
    }
  });
});

describe('go.mod', () => {
  test('the line go names the oldest release that will do, not the one that builds', () => {
    const { packages } = document('go.mod', 'module example.com/a\ngo 1.19\n');
    assert.deepEqual(
      packages.map(({ name, version }) => [name, version]),
      [['stdlib', '>=1.19']],
    );
    assert.match(packages[0]!.problem!, /range/);
  });

  test('a toolchain with a suffix', () => {
    assert.deepEqual(read('go.mod', 'module example.com/a\ngo 1.23\ntoolchain go1.23.6-custom\n'), [
      'Go stdlib 1.23.6',
    ]);
  });
});

describe('other ecosystems', () => {
  test('pubspec.lock, without the SDK and folders', () => {
    const text = `packages:
  args:
    dependency: "direct main"
    description: {name: args, url: "https://pub.example"}
    source: hosted
    version: "2.4.2"
  lints:
    dependency: "direct dev"
    description: {name: lints, url: "https://pub.example"}
    source: hosted
    version: "3.0.0"
  flutter:
    dependency: "direct main"
    description: flutter
    source: sdk
    version: "0.0.0"
`;
    assert.deepEqual(read('pubspec.lock', text), ['Pub args 2.4.2', 'Pub lints 3.0.0 (dev)']);
  });

  test('mix.lock', () => {
    const text = `%{
  "plug": {:hex, :plug, "1.14.0", "ba4f558468f69cbd9f6b356d25443d0b796fbdc887e03fa89001384a9cac638f", [:mix], [], "hexpm", "x"},
  "own": {:git, "https://example.com/own.git", "0123456789abcdef0123456789abcdef01234567", [branch: "main"]},
}
`;
    assert.deepEqual(read('mix.lock', text), ['Hex plug 1.14.0', 'Hex own ']);
  });

  test('packages.config of NuGet', () => {
    const text =
      '<?xml version="1.0"?><packages><package id="jQuery" version="3.1.1" targetFramework="net46" /><package id="Tool" version="1.0" developmentDependency="true" /></packages>';
    assert.deepEqual(read('packages.config', text), ['NuGet jQuery 3.1.1', 'NuGet Tool 1.0 (dev)']);
  });

  test('gradle.lockfile: what tests alone use', () => {
    const text =
      'g:a:1.0=compileClasspath,testCompileClasspath\ng:b:2.0=testCompileClasspath,testRuntimeClasspath\nempty=\n';
    assert.deepEqual(read('gradle.lockfile', text), ['Maven g:a 1.0', 'Maven g:b 2.0 (dev)']);
  });

  test('composer.lock: a tag is no commit', () => {
    const text = JSON.stringify({
      packages: [{ name: 'drupal/tfa', version: '2.0.0-alpha4', source: { reference: '2.0.0-alpha4' } }],
    });
    assert.deepEqual(read('composer.lock', text), ['Packagist drupal/tfa 2.0.0-alpha4']);
  });

  test('known lockfiles that cannot be read are told apart from other files', () => {
    for (const name of ['bun.lockb', 'ios/Podfile.lock', 'Package.resolved', 'conan.lock']) {
      assert.equal(isUnsupportedLockfile(name), true, name);
    }
    for (const name of ['uv.lock', 'readme.md', 'package.json']) assert.equal(isUnsupportedLockfile(name), false, name);
  });
});

test('an SPDX 3 document (JSON-LD)', () => {
  const document = {
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      { type: 'CreationInfo', '@id': '_:creationinfo', specVersion: '3.0.1' },
      { type: 'software_File', name: 'a.c' },
      {
        type: 'software_Package',
        name: 'lodash',
        software_packageVersion: '4.17.20',
        software_packageUrl: 'pkg:npm/lodash@4.17.20',
      },
      {
        type: 'software_Package',
        name: 'openssl',
        software_packageVersion: '1.0.1',
        externalIdentifier: [
          {
            type: 'ExternalIdentifier',
            externalIdentifierType: 'cpe23',
            identifier: 'cpe:2.3:a:openssl:openssl:1.0.1:*:*:*:*:*:*:*',
          },
        ],
      },
    ],
  };
  const { read } = readSbom({ document });
  assert.deepEqual(
    read!.packages.map(({ name, version, ecosystem, cpe }) => [name, version, ecosystem, cpe !== undefined]),
    [
      ['lodash', '4.17.20', 'npm', false],
      ['openssl', '1.0.1', null, true],
    ],
  );
});
