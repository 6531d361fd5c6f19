import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOf } from '../../../src/analysis/packages/dependency-scope.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { readLockfile, readSbom, type DocumentResult } from '../../../src/analysis/packages/read-document.ts';

const broughtBy = ({ read }: DocumentResult): Record<string, string[] | undefined> =>
  Object.fromEntries(read!.packages.map(({ name, version, broughtBy: from }) => [`${name}@${version}`, from]));

test('npm: a package is found as Node finds it, in the nearest node_modules on the way up', () => {
  const packages = {
    '': { dependencies: { a: '1' }, devDependencies: { b: '1' } },
    'node_modules/a': { version: '1.0.0', dependencies: { c: '1' } },
    'node_modules/a/node_modules/c': { version: '1.0.0', dependencies: { d: '1' } },
    'node_modules/b': { version: '1.0.0', dependencies: { c: '2', d: '1' } },
    'node_modules/c': { version: '2.0.0' },
    'node_modules/d': { version: '1.0.0', dependencies: { a: '1' } },
    'node_modules/left-over': { version: '1.0.0' },
  };
  const text = JSON.stringify({ lockfileVersion: 3, packages });
  assert.deepEqual(broughtBy(readLockfile({ text, filename: 'package-lock.json' })), {
    'a@1.0.0': [],
    'c@1.0.0': ['a > c'],
    'b@1.0.0': [],
    'c@2.0.0': ['b > c'],
    'd@1.0.0': ['b > d', 'a > c > d'],
    'left-over@1.0.0': undefined,
  });
});

test('Cargo: what has no source is the project', () => {
  const text = `[[package]]
name = "mine"
version = "0.1.0"
dependencies = ["regex", "log 0.3.9"]
[[package]]
name = "regex"
version = "1.0.0"
source = "registry"
dependencies = ["log 0.4.0"]
[[package]]
name = "log"
version = "0.3.9"
source = "registry"
[[package]]
name = "log"
version = "0.4.0"
source = "registry"
`;
  const from = broughtBy(readLockfile({ text, filename: 'Cargo.lock' }));
  assert.deepEqual([from['regex@1.0.0'], from['log@0.3.9'], from['log@0.4.0']], [[], [], ['regex > log']]);
});

test('Gemfile: the list at its end is of the project', () => {
  const text = `GEM
  remote: https://rubygems.example/
  specs:
    coderay (1.1.3)
    pry (0.14.1)
      coderay (~> 1.1)

PLATFORMS
  ruby

DEPENDENCIES
  pry (~> 0.14)

CHECKSUMS
  coderay (1.1.3)
  pry (0.14.1) sha256=99b6df0665875dd5a39d85e0150aa5a12e2bb4fef401b6c4f64d32ee502f8454
`;
  assert.deepEqual(broughtBy(readLockfile({ text, filename: 'Gemfile.lock' })), {
    'coderay@1.1.3': ['pry > coderay'],
    'pry@0.14.1': [],
  });
});

test('CycloneDX: dependencies of its subject, circles included; without them it is not known', () => {
  const components = ['a', 'b', 'c'].map((name) => ({
    'bom-ref': `r-${name}`,
    name,
    version: '1',
    purl: `pkg:npm/${name}@1`,
  }));
  const document = {
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'app' } },
    components,
    dependencies: [
      { ref: 'app', dependsOn: ['r-a'] },
      { ref: 'r-a', dependsOn: ['r-b'] },
      { ref: 'r-b', dependsOn: ['r-a'] },
    ],
  };
  assert.deepEqual(broughtBy(readSbom({ document })), { 'a@1': [], 'b@1': ['a > b'], 'c@1': undefined });
  assert.deepEqual(broughtBy(readSbom({ document: { bomFormat: 'CycloneDX', components } }))['a@1'], undefined);
});

/** `name@version [scope] <- paths`: `direct` for a direct dependency, `?` where the document does not say. */
const origins = ({ read, error }: DocumentResult): string[] => {
  assert.equal(error, null);
  return read!.packages.map(({ name, version, ways = [], broughtBy: from }) => {
    const scope = scopeOf(ways);
    const paths = from === undefined ? '?' : from.length === 0 ? 'direct' : from.join(' | ');
    return `${name}@${version}${scope === null ? '' : ` [${scope}]`} <- ${paths}`;
  });
};

const cases: {
  what: string;
  filename: string;
  text: string;
  companions?: Record<string, string>;
  expected: string[];
}[] = [
  {
    what: 'npm of version 1: what no other needs is direct',
    filename: 'package-lock.json',
    text: JSON.stringify({
      lockfileVersion: 1,
      requires: true,
      dependencies: {
        express: {
          version: '4.16.0',
          requires: { qs: '6.5.1' },
          dependencies: { qs: { version: '6.5.1' } },
        },
        qs: { version: '6.11.0', dev: true },
      },
    }),
    expected: ['express@4.16.0 <- direct', 'qs@6.11.0 [dev] <- direct', 'qs@6.5.1 <- express > qs'],
  },
  {
    what: 'npm of version 1: the manifest beside it says what is direct',
    filename: 'package-lock.json',
    text: JSON.stringify({
      lockfileVersion: 1,
      dependencies: {
        a: { version: '1.0.0', requires: { b: '^1.0.0' } },
        b: { version: '1.0.0' },
        old: { version: '1.0.0' },
      },
    }),
    companions: { 'package.json': JSON.stringify({ dependencies: { a: '1', b: '1' } }) },
    expected: ['a@1.0.0 <- direct', 'b@1.0.0 <- direct', 'old@1.0.0 <- ?'],
  },
  {
    what: 'npm: flags of optional and peer dependencies',
    filename: 'package-lock.json',
    text: JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { a: '1' }, optionalDependencies: { o: '1' } },
        'node_modules/a': { version: '1.0.0', peerDependencies: { p: '1' } },
        'node_modules/o': { version: '1.0.0', optional: true },
        'node_modules/p': { version: '1.0.0', peer: true },
      },
    }),
    expected: ['a@1.0.0 <- direct', 'o@1.0.0 [optional] <- direct', 'p@1.0.0 [peer] <- a > p'],
  },
  {
    what: 'yarn of version 1: what is asked for as no package asks for it is direct',
    filename: 'yarn.lock',
    text: `# yarn lockfile v1


express@^4.16.0:
  version "4.16.0"
  resolved "https://registry.example/express/-/express-4.16.0.tgz#163640aae0daf7b91d2d4e7bb9bf8f5a3c1f1b6d"
  dependencies:
    body-parser "1.18.2"
    qs "6.5.1"

body-parser@1.18.2:
  version "1.18.2"
  dependencies:
    "@s/debug" "2.6.9"
    qs "6.5.1"
  optionalDependencies:
    fsevents "^1.2.7"

"@s/debug@2.6.9", "@s/debug@^2.0.0":
  version "2.6.9"

fsevents@^1.2.7:
  version "1.2.9"

qs@6.5.1:
  version "6.5.1"
`,
    expected: [
      'express@4.16.0 <- direct',
      'body-parser@1.18.2 <- express > body-parser',
      '@s/debug@2.6.9 <- direct',
      'fsevents@1.2.9 [optional] <- express > body-parser > fsevents',
      'qs@6.5.1 <- express > qs',
    ],
  },
  {
    what: 'yarn of version 1: what is for development says package.json alone',
    filename: 'yarn.lock',
    text: `# yarn lockfile v1


a@^1.0.0:
  version "1.0.0"
  dependencies:
    c "^1.0.0"

b@^1.0.0:
  version "1.0.0"
  dependencies:
    c "^1.0.0"
    d "^1.0.0"

c@^1.0.0:
  version "1.0.0"

d@^1.0.0:
  version "1.0.0"
`,
    companions: {
      'package.json': JSON.stringify({ dependencies: { a: '^1.0.0' }, devDependencies: { b: '^1.0.0' } }),
    },
    expected: ['a@1.0.0 <- direct', 'b@1.0.0 [dev] <- direct', 'c@1.0.0 <- a > c | b > c', 'd@1.0.0 [dev] <- b > d'],
  },
  {
    what: 'yarn Berry: the members of the workspace are in it, with all that they ask for',
    filename: 'yarn.lock',
    text: `# This file is generated by running "yarn install" inside your project.

__metadata:
  version: 8
  cacheKey: 10c0

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    jest: "npm:^29.0.0"
    part: "workspace:*"
  languageName: unknown
  linkType: soft

"jest@npm:^29.0.0":
  version: 29.7.0
  resolution: "jest@npm:29.7.0"
  dependencies:
    "@jest/core": "npm:^29.7.0"
    node-notifier: "npm:^8.0.1"
  dependenciesMeta:
    node-notifier:
      optional: true
  checksum: 10c0/f40eb8171cf147c617cc6ada49d062fbb03b4da666cb8d39cdbfb739a7d75eea4c3ca150fb072d0d273dce0c753db4d0467d54906ad0293f59c54f9db4a09d8b
  languageName: node
  linkType: hard

"@jest/core@npm:^29.7.0":
  version: 29.7.0
  resolution: "@jest/core@npm:29.7.0"
  languageName: node
  linkType: hard

"node-notifier@npm:^8.0.1":
  version: 8.0.2
  resolution: "node-notifier@npm:8.0.2"
  languageName: node
  linkType: hard

"part@workspace:*, part@workspace:packages/part":
  version: 0.0.0-use.local
  resolution: "part@workspace:packages/part"
  dependencies:
    qs: "npm:6.5.1"
  languageName: unknown
  linkType: soft

"qs@npm:6.5.1":
  version: 6.5.1
  resolution: "qs@npm:6.5.1"
  languageName: node
  linkType: hard
`,
    companions: {
      'package.json': JSON.stringify({ devDependencies: { jest: '^29.0.0' }, dependencies: { part: 'workspace:*' } }),
      'packages/part/package.json': JSON.stringify({ dependencies: { qs: '6.5.1' } }),
    },
    expected: [
      'jest@29.7.0 [dev] <- direct',
      '@jest/core@29.7.0 [dev] <- jest > @jest/core',
      'node-notifier@8.0.2 [dev] <- jest > node-notifier',
      'qs@6.5.1 <- direct',
    ],
  },
  {
    what: 'pnpm of version 5: one project, packages by /name/version',
    filename: 'pnpm-lock.yaml',
    text: `lockfileVersion: 5.4
specifiers:
  a: ^1.0.0
dependencies:
  a: 1.0.0_b@2.0.0
devDependencies:
  '@s/c': 3.0.0
packages:
  /a/1.0.0_b@2.0.0:
    resolution: {integrity: x}
    dependencies:
      d: 1.0.0
    optionalDependencies:
      e: 1.0.0
    dev: false
  /@s/c/3.0.0:
    resolution: {integrity: x}
    dev: true
  /d/1.0.0:
    resolution: {integrity: x}
    dev: false
  /e/1.0.0:
    resolution: {integrity: x}
    dev: false
    optional: true
`,
    expected: ['a@1.0.0 <- direct', '@s/c@3.0.0 [dev] <- direct', 'd@1.0.0 <- a > d', 'e@1.0.0 [optional] <- a > e'],
  },
  {
    what: 'pnpm of version 6: members of a workspace, packages by /name@version',
    filename: 'pnpm-lock.yaml',
    text: `lockfileVersion: '6.0'
importers:
  .: {}
  packages/x:
    dependencies:
      a: {specifier: ^1.0.0, version: 1.0.0(p@2.0.0)}
      own: {specifier: 'workspace:*', version: link:../own}
packages:
  /a@1.0.0(p@2.0.0):
    resolution: {integrity: x}
    peerDependencies: {p: '*'}
    dependencies: {p: 2.0.0}
    dev: false
  /p@2.0.0: {resolution: {integrity: x}, dev: false}
`,
    expected: ['a@1.0.0 <- direct', 'p@2.0.0 <- a > p'],
  },
  {
    what: 'pnpm of version 9: a package with two sets of peers leads to those of the set that is asked for',
    filename: 'pnpm-lock.yaml',
    text: `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a: {specifier: ^1.0.0, version: 1.0.0(p@1.0.0)}
    optionalDependencies:
      o: {specifier: ^1.0.0, version: 1.0.0}
    devDependencies:
      d: {specifier: ^1.0.0, version: 1.0.0}
packages:
  a@1.0.0: {resolution: {integrity: x}}
  d@1.0.0: {resolution: {integrity: x}}
  o@1.0.0: {resolution: {integrity: x}}
  p@1.0.0: {resolution: {integrity: x}}
  p@2.0.0: {resolution: {integrity: x}}
snapshots:
  a@1.0.0(p@1.0.0): {dependencies: {p: 1.0.0}}
  a@1.0.0(p@2.0.0): {dependencies: {p: 2.0.0}}
  d@1.0.0: {dependencies: {a: 1.0.0(p@2.0.0)}}
  o@1.0.0: {optional: true}
  p@1.0.0: {}
  p@2.0.0: {}
`,
    expected: [
      'a@1.0.0 <- direct',
      'd@1.0.0 [dev] <- direct',
      'o@1.0.0 [optional] <- direct',
      'p@1.0.0 <- a > p',
      'p@2.0.0 [dev] <- d > a > p',
    ],
  },
  {
    what: 'bun: a copy below a package comes before the one at the top',
    filename: 'bun.lock',
    text: `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "app", "dependencies": { "a": "^1.0.0", "part": "workspace:*" }, "optionalDependencies": { "o": "1" } },
    "packages/part": { "name": "part", "devDependencies": { "d": "1.0.0" }, "peerDependencies": { "x": "1" } },
  },
  "packages": {
    "a": ["a@1.2.3", "", { "dependencies": { "b": "^2.0.0" }, "peerDependencies": { "q": "1" }, "optionalPeers": ["q"] }, "sha512-aa=="],
    "a/b": ["b@2.0.0", "", {}, "sha512-cc=="],
    "b": ["b@1.0.0", "", {}, "sha512-bb=="],
    "d": ["d@1.0.0", "", { "dependencies": { "b": "^1.0.0", "q": "1" } }, "sha512-dd=="],
    "o": ["o@1.0.0", "", {}, "sha512-oo=="],
    "part": ["part@workspace:packages/part"],
    "q": ["q@1.0.0", "", {}, "sha512-qq=="],
    "x": ["x@1.0.0", "", {}, "sha512-xx=="],
  },
}
`,
    expected: [
      'a@1.2.3 <- direct',
      'b@2.0.0 <- a > b',
      'b@1.0.0 [dev] <- d > b',
      'd@1.0.0 [dev] <- direct',
      'o@1.0.0 [optional] <- direct',
      'q@1.0.0 [dev] <- d > q',
      'x@1.0.0 [peer] <- direct',
    ],
  },
  {
    // The packages of deno_lockfile's own tests of version 5.
    what: 'deno of version 5: names of one version, aliases, and what packages of JSR ask for',
    filename: 'deno.lock',
    text: JSON.stringify({
      version: '5',
      specifiers: { 'jsr:@oak/oak@12': '12.6.3', 'npm:@a/pkg@2': '2.1.5', 'npm:path-to-regexp@6.2.1': '6.2.1' },
      jsr: { '@oak/oak@12.6.3': { integrity: 'x', dependencies: ['npm:path-to-regexp'] } },
      npm: {
        '@a/pkg@2.1.5': {
          integrity: 'x',
          dependencies: ['@c/pkg@1.0.0'],
          optionalDependencies: ['other_name@npm:@b/pkg@2.0.5'],
        },
        '@b/pkg@2.0.5': { integrity: 'x', dependencies: ['@c/pkg@2.0.0'] },
        '@c/pkg@1.0.0': { integrity: 'x' },
        '@c/pkg@2.0.0': { integrity: 'x' },
        'path-to-regexp@6.2.1': { integrity: 'x' },
      },
      workspace: { dependencies: ['jsr:@oak/oak@12'], packageJson: { dependencies: ['npm:@a/pkg@2'] } },
    }),
    expected: [
      '@a/pkg@2.1.5 <- direct',
      '@b/pkg@2.0.5 [optional] <- @a/pkg > @b/pkg',
      '@c/pkg@1.0.0 <- @a/pkg > @c/pkg',
      '@c/pkg@2.0.0 [optional] <- @a/pkg > @b/pkg > @c/pkg',
      'path-to-regexp@6.2.1 <- @oak/oak > path-to-regexp',
      '@oak/oak@12.6.3 <- direct',
    ],
  },
  {
    what: 'deno of version 3: keys in the place of names',
    filename: 'deno.lock',
    text: JSON.stringify({
      version: '3',
      packages: {
        specifiers: { 'npm:chalk@4': 'npm:chalk@4.1.2' },
        npm: {
          'ansi-styles@4.3.0': { integrity: 'x', dependencies: {} },
          'chalk@4.1.2': { integrity: 'x', dependencies: { 'ansi-styles': 'ansi-styles@4.3.0' } },
        },
      },
      remote: {},
    }),
    expected: ['ansi-styles@4.3.0 <- chalk > ansi-styles', 'chalk@4.1.2 <- direct'],
  },
  {
    what: 'Poetry: what an extra alone needs has no path, and is not said to be direct',
    filename: 'poetry.lock',
    text: `[[package]]
name = "Requests"
version = "2.31.0"
optional = false
groups = ["main"]
[package.dependencies]
idna = ">=2.5,<4"
PySocks = {version = ">=1.5.6,!=1.5.7", optional = true, markers = "extra == 'socks'"}
[package.extras]
socks = ["PySocks (>=1.5.6,!=1.5.7)"]
[[package]]
name = "idna"
version = "3.6"
optional = false
groups = ["main", "dev"]
[[package]]
name = "pysocks"
version = "1.7.1"
optional = false
groups = ["main"]
[[package]]
name = "pytest"
version = "8.0.0"
optional = false
groups = ["dev"]
[package.dependencies]
iniconfig = "*"
[[package]]
name = "iniconfig"
version = "2.0.0"
optional = false
groups = ["dev"]
`,
    expected: [
      'Requests@2.31.0 <- direct',
      'idna@3.6 <- Requests > idna',
      'pysocks@1.7.1 <- ?',
      'pytest@8.0.0 [dev] <- direct',
      'iniconfig@2.0.0 [dev] <- pytest > iniconfig',
    ],
  },
  {
    what: 'Poetry of version 1.5, which marks no group: pyproject.toml tells',
    filename: 'poetry.lock',
    text: `[[package]]
name = "requests"
version = "2.31.0"
optional = false
[package.dependencies]
idna = ">=2.5,<4"
[[package]]
name = "idna"
version = "3.6"
optional = false
[[package]]
name = "pytest"
version = "8.0.0"
optional = false
[package.dependencies]
idna = "*"
iniconfig = "*"
[[package]]
name = "iniconfig"
version = "2.0.0"
optional = false
`,
    companions: {
      'pyproject.toml': `[tool.poetry.dependencies]
python = "^3.12"
requests = "^2.31"
[tool.poetry.group.test.dependencies]
pytest = "^8.0"
`,
    },
    expected: [
      'requests@2.31.0 <- direct',
      'idna@3.6 <- requests > idna | pytest > idna',
      'pytest@8.0.0 [dev] <- direct',
      'iniconfig@2.0.0 [dev] <- pytest > iniconfig',
    ],
  },
  {
    what: 'PDM: a package with an extra has an entry of its own',
    filename: 'pdm.lock',
    text: `[[package]]
name = "coverage"
version = "7.4.0"
groups = ["test"]
[[package]]
name = "coverage"
version = "7.4.0"
extras = ["toml"]
groups = ["test"]
dependencies = ["coverage==7.4.0", "tomli; python_full_version <= \\"3.11.0a6\\""]
[[package]]
name = "pytest-cov"
version = "4.1.0"
groups = ["test"]
dependencies = ["coverage[toml]>=5.2.1", "pytest>=4.6"]
[[package]]
name = "pytest"
version = "8.0.0"
groups = ["test"]
[[package]]
name = "tomli"
version = "2.0.1"
groups = ["test"]
[[package]]
name = "flask"
version = "3.0.0"
groups = ["default"]
[[package]]
name = "asgiref"
version = "3.7.2"
groups = ["async"]
`,
    expected: [
      'coverage@7.4.0 [dev] <- pytest-cov > coverage',
      'pytest-cov@4.1.0 [dev] <- direct',
      'pytest@8.0.0 [dev] <- pytest-cov > pytest',
      'tomli@2.0.1 [dev] <- pytest-cov > coverage > tomli',
      'flask@3.0.0 <- direct',
      'asgiref@3.7.2 [optional] <- direct',
    ],
  },
  {
    what: 'uv: an extra that is asked for, and one version of several',
    filename: 'uv.lock',
    text: `version = 1
[[package]]
name = "app"
version = "0.1.0"
source = { editable = "." }
dependencies = [{ name = "coverage", extra = ["toml"] }, { name = "numpy", version = "2.0.0", source = { registry = "x" } }]
[package.dev-dependencies]
dev = [{ name = "black" }]
[[package]]
name = "coverage"
version = "7.4.0"
source = { registry = "x" }
[package.optional-dependencies]
toml = [{ name = "tomli", marker = "python_full_version <= '3.11'" }]
[[package]]
name = "tomli"
version = "2.0.1"
source = { registry = "x" }
[[package]]
name = "numpy"
version = "1.0.0"
source = { registry = "x" }
[[package]]
name = "numpy"
version = "2.0.0"
source = { registry = "x" }
[[package]]
name = "black"
version = "24.1.0"
source = { registry = "x" }
dependencies = [{ name = "numpy", version = "1.0.0", source = { registry = "x" } }]
[package.optional-dependencies]
colorama = [{ name = "colorama" }]
[[package]]
name = "colorama"
version = "0.4.6"
source = { registry = "x" }
`,
    expected: [
      'coverage@7.4.0 <- direct',
      'tomli@2.0.1 <- coverage > tomli',
      'numpy@1.0.0 [dev] <- black > numpy',
      'numpy@2.0.0 <- direct',
      'black@24.1.0 [dev] <- direct',
      'colorama@0.4.6 <- ?',
    ],
  },
  {
    what: 'pylock.toml (PEP 751): groups and extras by markers',
    filename: 'pylock.toml',
    text: `lock-version = "1.0"
extras = ["web"]
dependency-groups = ["test"]
[[packages]]
name = "attrs"
version = "25.1.0"
[[packages]]
name = "cattrs"
version = "24.1.2"
dependencies = [{ name = "attrs" }]
[[packages]]
name = "pytest"
version = "8.0.0"
marker = "'test' in dependency_groups"
[[packages]]
name = "jinja2"
version = "3.1.2"
marker = "'web' in extras or 'test' in dependency_groups"
[[packages]]
name = "colorama"
version = "0.4.6"
marker = "sys_platform == 'win32'"
`,
    expected: [
      'attrs@25.1.0 <- cattrs > attrs',
      'cattrs@24.1.2 <- direct',
      'pytest@8.0.0 [dev] <- direct',
      'jinja2@3.1.2 [optional] <- direct',
      'colorama@0.4.6 <- direct',
    ],
  },
  {
    what: 'pylock.toml of a tool that does not say what needs what',
    filename: 'pylock.toml',
    text: `lock-version = "1.0"\n[[packages]]\nname = "attrs"\nversion = "25.1.0"\n`,
    expected: ['attrs@25.1.0 <- ?'],
  },
  {
    what: 'Composer: a package that is asked for by what it replaces or provides; the platform',
    filename: 'composer.lock',
    text: JSON.stringify({
      'content-hash': 'x',
      packages: [
        {
          name: 'monolog/monolog',
          version: '3.5.0',
          require: { php: '>=8.1', 'psr/log': '^3.0' },
          provide: { 'psr/log-implementation': '3.0.0' },
        },
        { name: 'psr/log', version: '3.0.0' },
        { name: 'acme/app', version: '1.0.0', require: { 'psr/log-implementation': '*', 'ext-json': '*' } },
      ],
      'packages-dev': [{ name: 'phpunit/phpunit', version: '10.0.0' }],
    }),
    expected: [
      'monolog/monolog@3.5.0 <- acme/app > monolog/monolog',
      'psr/log@3.0.0 <- acme/app > monolog/monolog > psr/log',
      'acme/app@1.0.0 <- direct',
      'phpunit/phpunit@10.0.0 [dev] <- direct',
    ],
  },
  {
    what: 'Composer with the manifest: what is needed by others too is direct',
    filename: 'composer.lock',
    text: JSON.stringify({
      packages: [
        { name: 'monolog/monolog', version: '3.5.0', require: { 'psr/log': '^3.0' } },
        { name: 'psr/log', version: '3.0.0' },
      ],
    }),
    companions: {
      'composer.json': JSON.stringify({ require: { 'monolog/monolog': '^3', 'psr/log': '^3', php: '*' } }),
    },
    expected: ['monolog/monolog@3.5.0 <- direct', 'psr/log@3.0.0 <- direct'],
  },
  {
    what: 'mix: optional dependencies bring nothing',
    filename: 'mix.lock',
    text: `%{
  "phoenix": {:hex, :phoenix, "1.7.10", "02189140", [:mix], [{:castore, ">= 0.0.0", [hex: :castore, repo: "hexpm", optional: false]}, {:jason, "~> 1.0", [hex: :jason, repo: "hexpm", optional: true]}], "hexpm", "cf784932"},
  "castore": {:hex, :castore, "1.0.4", "ff4d0fb2", [:mix], [], "hexpm", "9418c1b8"},
  "jason": {:hex, :jason, "1.4.1", "af1504e3", [:mix], [], "hexpm", "fbb01ecd"},
}
`,
    expected: ['phoenix@1.7.10 <- direct', 'castore@1.0.4 <- phoenix > castore', 'jason@1.4.1 <- direct'],
  },
  {
    what: 'pubspec: what is direct, and nothing of the others',
    filename: 'pubspec.lock',
    text: `packages:
  args:
    dependency: "direct main"
    description: {name: args, url: "https://pub.example"}
    source: hosted
    version: "2.4.2"
  async:
    dependency: transitive
    description: {name: async, url: "https://pub.example"}
    source: hosted
    version: "2.11.0"
  test:
    dependency: "direct dev"
    description: {name: test, url: "https://pub.example"}
    source: hosted
    version: "1.24.0"
`,
    expected: ['args@2.4.2 <- direct', 'async@2.11.0 <- ?', 'test@1.24.0 [dev] <- direct'],
  },
  {
    what: 'NuGet: names in any case, projects of the solution, sections of a runtime',
    filename: 'packages.lock.json',
    text: JSON.stringify({
      version: 2,
      dependencies: {
        'net8.0': {
          Serilog: { type: 'Direct', requested: '[3.1.1, )', resolved: '3.1.1' },
          'System.Text.Json': { type: 'Transitive', resolved: '8.0.0' },
          'core.lib': { type: 'Project', dependencies: { 'system.text.json': '[8.0.0, )' } },
          'Microsoft.Data.Sqlite': {
            type: 'Direct',
            requested: '[8.0.0, )',
            resolved: '8.0.0',
            dependencies: { 'SQLitePCLRaw.core': '2.1.6' },
          },
          'SQLitePCLRaw.core': { type: 'Transitive', resolved: '2.1.6' },
        },
        'net8.0/win-x64': {
          'runtime.native': { type: 'Transitive', resolved: '1.0.0', dependencies: { 'SQLitePCLRaw.core': '2.1.6' } },
        },
      },
    }),
    expected: [
      'Serilog@3.1.1 <- direct',
      'System.Text.Json@8.0.0 <- core.lib > System.Text.Json',
      'Microsoft.Data.Sqlite@8.0.0 <- direct',
      'SQLitePCLRaw.core@2.1.6 <- Microsoft.Data.Sqlite > SQLitePCLRaw.core',
      'runtime.native@1.0.0 <- ?',
    ],
  },
  {
    what: 'go.mod: the comment indirect, alone or before another',
    filename: 'go.mod',
    text: `module example.com/app

go 1.22

require github.com/gin-gonic/gin v1.9.1

require (
	github.com/bytedance/sonic v1.9.1 // indirect
	golang.org/x/net v0.10.0 // indirect; kept for a fix
	golang.org/x/sys v0.8.0 // not indirect
)
`,
    expected: [
      'github.com/gin-gonic/gin@1.9.1 <- direct',
      'github.com/bytedance/sonic@1.9.1 <- ?',
      'golang.org/x/net@0.10.0 <- ?',
      'golang.org/x/sys@0.8.0 <- direct',
      'stdlib@>=1.22 <- ?',
    ],
  },
  {
    what: 'Pipfile.lock: no graph; develop and other categories',
    filename: 'Pipfile.lock',
    text: JSON.stringify({
      _meta: { 'pipfile-spec': 6 },
      default: { a: { version: '==1.0' } },
      develop: { b: { version: '==1.0' } },
      docs: { c: { version: '==1.0' } },
    }),
    expected: ['a@1.0 <- ?', 'b@1.0 [dev] <- ?', 'c@1.0 [optional] <- ?'],
  },
  {
    what: 'Gradle: no graph; configurations of tests and of tools of the build',
    filename: 'gradle.lockfile',
    text: `# This is a Gradle generated file for dependency locking.
com.google.guava:guava:32.1.3-jre=compileClasspath,runtimeClasspath,testCompileClasspath
com.puppycrawl.tools:checkstyle:10.12.4=checkstyle
junit:junit:4.13.2=debugUnitTestRuntimeClasspath,testCompileClasspath
org.projectlombok:lombok:1.18.30=annotationProcessor,compileClasspath
org.mapstruct:mapstruct-processor:1.5.5=annotationProcessor,testAnnotationProcessor
empty=
`,
    expected: [
      'com.google.guava:guava@32.1.3-jre <- ?',
      'com.puppycrawl.tools:checkstyle@10.12.4 [dev] <- ?',
      'junit:junit@4.13.2 [dev] <- ?',
      'org.projectlombok:lombok@1.18.30 <- ?',
      'org.mapstruct:mapstruct-processor@1.5.5 [dev] <- ?',
    ],
  },
  {
    what: 'Maven: a pom has direct dependencies alone; scopes test and provided, optional',
    filename: 'pom.xml',
    text: `<project><groupId>g</groupId><artifactId>a</artifactId><version>1</version><dependencies>${[
      ['c', ''],
      ['t', '<scope>test</scope>'],
      ['p', '<scope>provided</scope>'],
      ['o', '<optional>true</optional>'],
    ]
      .map(
        ([id, more]) =>
          `<dependency><groupId>g</groupId><artifactId>${id}</artifactId><version>1.0</version>${more}</dependency>`,
      )
      .join('')}</dependencies></project>`,
    expected: [
      'g:c@1.0 <- direct',
      'g:t@1.0 [dev] <- direct',
      'g:p@1.0 [provided] <- direct',
      'g:o@1.0 [optional] <- direct',
    ],
  },
];

for (const { what, expected, ...input } of cases) {
  test(what, () => assert.deepEqual(origins(readLockfile(input)), expected));
}

test('CycloneDX in XML, and components that do not belong to run time', () => {
  const document = `<bom xmlns="http://cyclonedx.org/schema/bom/1.5" version="1">
  <metadata><component type="application" bom-ref="app"><name>app</name></component></metadata>
  <components>
    <component type="library" bom-ref="a"><name>a</name><version>1</version><purl>pkg:npm/a@1</purl></component>
    <component type="library" bom-ref="b"><name>b</name><version>1</version><scope>excluded</scope><purl>pkg:npm/b@1</purl></component>
    <component type="library" bom-ref="c"><name>c</name><version>1</version><scope>optional</scope><purl>pkg:npm/c@1</purl></component>
  </components>
  <dependencies><dependency ref="app"><dependency ref="a"/></dependency><dependency ref="a"><dependency ref="b"/></dependency></dependencies>
</bom>`;
  assert.deepEqual(origins(readSbom({ document })), ['a@1 <- direct', 'b@1 [dev] <- a > b', 'c@1 [optional] <- ?']);
});

// The same graph in each form: app needs a, a needs b, t is for tests of app, and o is not said to be needed.
const SPDX2 = {
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  packages: ['app', 'a', 'b', 't', 'o'].map((name) => ({
    SPDXID: `SPDXRef-${name}`,
    name,
    versionInfo: '1',
    externalRefs: [
      { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: `pkg:npm/${name}@1` },
    ],
  })),
  relationships: [
    ['DOCUMENT', 'DESCRIBES', 'app'],
    ['app', 'DEPENDS_ON', 'a'],
    ['b', 'DEPENDENCY_OF', 'a'],
    ['t', 'TEST_DEPENDENCY_OF', 'app'],
    ['app', 'CONTAINS', 'o'],
  ].map(([from, relationshipType, to]) => ({
    spdxElementId: `SPDXRef-${from}`,
    relationshipType,
    relatedSpdxElement: `SPDXRef-${to}`,
  })),
};
const OF_SPDX = ['app@1 <- ?', 'a@1 <- direct', 'b@1 <- a > b', 't@1 [dev] <- direct', 'o@1 <- ?'];

test('SPDX 2: relationships, in JSON, tag-value and RDF', () => {
  assert.deepEqual(origins(readSbom({ document: SPDX2 })), OF_SPDX);
  const tagValue = [
    'SPDXVersion: SPDX-2.3',
    'SPDXID: SPDXRef-DOCUMENT',
    ...SPDX2.packages.flatMap(({ SPDXID, name, externalRefs: [reference] }) => [
      `PackageName: ${name}`,
      `SPDXID: ${SPDXID}`,
      'PackageVersion: 1',
      `ExternalRef: PACKAGE-MANAGER purl ${reference!.referenceLocator}`,
    ]),
    ...SPDX2.relationships.map(
      ({ spdxElementId, relationshipType, relatedSpdxElement }) =>
        `Relationship: ${spdxElementId} ${relationshipType} ${relatedSpdxElement}`,
    ),
  ].join('\n');
  assert.deepEqual(origins(readSbom({ document: tagValue })), OF_SPDX);
  const camel = (type: string): string => type.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const relationsOf = (id: string): string =>
    SPDX2.relationships
      .filter(({ spdxElementId }) => spdxElementId === id)
      .map(
        ({ relationshipType, relatedSpdxElement }) =>
          `<spdx:relationship><spdx:Relationship><spdx:relationshipType rdf:resource="http://spdx.org/rdf/terms#relationshipType_${camel(relationshipType!)}"/><spdx:relatedSpdxElement rdf:resource="https://example.com/doc#${relatedSpdxElement}"/></spdx:Relationship></spdx:relationship>`,
      )
      .join('');
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:spdx="http://spdx.org/rdf/terms#">
<spdx:SpdxDocument rdf:about="https://example.com/doc#SPDXRef-DOCUMENT"><spdx:name>d</spdx:name>${relationsOf('SPDXRef-DOCUMENT')}</spdx:SpdxDocument>
${SPDX2.packages.map(({ SPDXID, name }) => `<spdx:Package rdf:about="https://example.com/doc#${SPDXID}"><spdx:name>${name}</spdx:name><spdx:versionInfo>1</spdx:versionInfo>${relationsOf(SPDXID)}</spdx:Package>`).join('\n')}
</rdf:RDF>`;
  assert.deepEqual(origins(readSbom({ document: rdf })).sort(), OF_SPDX.toSorted());
});

test('SPDX 3: relationships of the graph, with the part of the life of the software', () => {
  const packageOf = (name: string) => ({
    type: 'software_Package',
    spdxId: `urn:${name}`,
    name,
    software_packageVersion: '1',
  });
  const document = {
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      { type: 'SpdxDocument', spdxId: 'urn:doc', rootElement: ['urn:bom'] },
      { type: 'software_Sbom', spdxId: 'urn:bom', rootElement: ['urn:app'] },
      ...['app', 'a', 'b', 't', 'o'].map(packageOf),
      { type: 'Relationship', from: 'urn:app', to: ['urn:a'], relationshipType: 'dependsOn' },
      { type: 'Relationship', from: 'urn:a', to: ['urn:b'], relationshipType: 'dependsOn' },
      {
        type: 'LifecycleScopedRelationship',
        scope: 'test',
        from: 'urn:app',
        to: ['urn:t'],
        relationshipType: 'dependsOn',
      },
      { type: 'Relationship', from: 'urn:app', to: ['urn:o'], relationshipType: 'contains' },
    ],
  };
  assert.deepEqual(origins(readSbom({ document })), OF_SPDX);
});

test('a long path is cut in its middle, and five of many are shown, the shortest first', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [
      `node_modules/p${n}`,
      { version: '1.0.0', dependencies: { [`p${n + 1}`]: '1' } },
    ]),
  );
  const starts = Array.from({ length: 9 }, (_, n) => `s${n}`);
  const packages = {
    '': { dependencies: Object.fromEntries(['p0', ...starts].map((name) => [name, '1'])) },
    ...chain,
    ...Object.fromEntries(
      starts.map((name, n) => [
        `node_modules/${name}`,
        { version: '1.0.0', dependencies: n === 8 ? { shared: '1' } : { middle: '1' } },
      ]),
    ),
    'node_modules/middle': { version: '1.0.0', dependencies: { shared: '1' } },
    'node_modules/shared': { version: '1.0.0' },
  };
  const from = broughtBy(
    readLockfile({ text: JSON.stringify({ lockfileVersion: 3, packages }), filename: 'package-lock.json' }),
  );
  assert.deepEqual(from['p7@1.0.0'], ['p0 > p1 > p2 > p3 > p4 > p5 > p6 > p7']);
  assert.deepEqual(from['p19@1.0.0'], ['p0 > p1 > p2 > p3 > ... > p17 > p18 > p19']);
  assert.deepEqual(from['shared@1.0.0'], ['s8 > shared', ...[0, 1, 2, 3].map((n) => `s${n} > middle > shared`)]);
});

test('a package that is locked in ten thousand versions, each of which needs all', () => {
  const started = cpuMs();
  const entry = (n: number): string => `[[package]]\nname = "a"\nversion = "${n}"\ndependencies = ["a"]\n`;
  const text = Array.from({ length: 10_000 }, (_, n) => entry(n)).join('');
  for (const filename of ['pdm.lock', 'uv.lock']) {
    const { read } = readLockfile({
      text: text.replaceAll('["a"]', filename === 'uv.lock' ? '[{ name = "a" }]' : '["a"]'),
      filename,
    });
    assert.equal(read!.totalCount, 10_000);
  }
  assert.ok(cpuMs() - started < 30_000);
});
