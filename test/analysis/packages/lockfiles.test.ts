import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuMs } from '../../support/cpu-time.ts';
import {
  LOCKFILE_FORMATS,
  lockfileFormat,
  readLockfile,
  readSbom,
} from '../../../src/analysis/packages/read-document.ts';

function read(filename: string, text: string, companions: Record<string, string> = {}): string[] {
  const { read, error: fault } = readLockfile({ text, filename, companions });
  assert.equal(fault, null);
  return read!.packages.map(({ name, version, ecosystem }) => `${ecosystem} ${name} ${version}`);
}

function faultOf(filename: string, text: string): string {
  const { error: fault } = readLockfile({ text, filename });
  assert.notEqual(fault, null);
  return fault!;
}

describe('formats', () => {
  test('are told by the name of the file, wherever it lies', () => {
    for (const format of LOCKFILE_FORMATS) assert.equal(lockfileFormat(`some/folder/${format}`), format);
    assert.equal(lockfileFormat('C:\\work\\Package-Lock.json'), 'package-lock.json');
    assert.equal(lockfileFormat('requirements-dev.txt'), 'requirements.txt');
    assert.equal(lockfileFormat('package.json'), null);
  });

  test('package-lock of version 3, with an alias, a link and a nested copy', () => {
    const packages = {
      '': { name: 'app', version: '1.0.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/a/node_modules/@s/b': { version: '2.0.0' },
      'node_modules/renamed': { name: 'real', version: '3.0.0' },
      'node_modules/local': { resolved: 'packages/local', link: true },
      'packages/local': { version: '0.0.0' },
    };
    assert.deepEqual(read('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages })), [
      'npm a 1.0.0',
      'npm @s/b 2.0.0',
      'npm real 3.0.0',
    ]);
  });

  test('yarn.lock of version 1 with an alias', () => {
    const text = '# yarn lockfile v1\n\n"short@npm:@scope/long@^1.0.0", short@^1:\n  version "1.2.3"\n  resolved "x"\n';
    assert.deepEqual(read('yarn.lock', text), ['npm @scope/long 1.2.3']);
  });

  test('packages.lock.json of NuGet, without the projects of the solution', () => {
    const dependencies = {
      'net8.0': {
        'Newtonsoft.Json': { type: 'Direct', requested: '[13.0.1, )', resolved: '13.0.1' },
        MyProject: { type: 'Project' },
      },
    };
    assert.deepEqual(read('packages.lock.json', JSON.stringify({ version: 1, dependencies })), [
      'NuGet Newtonsoft.Json 13.0.1',
    ]);
  });

  test('go.mod: toolchain, replace for all versions, comments', () => {
    const text = `module example.com/app
go 1.21
toolchain go1.22.3
require (
\texample.com/a v1.0.0 // indirect
\texample.com/b v2.0.0+incompatible
)
replace example.com/b => example.com/c v3.1.0
exclude example.com/a v0.9.0
`;
    assert.deepEqual(read('go.mod', text), ['Go example.com/a 1.0.0', 'Go example.com/c 3.1.0', 'Go stdlib 1.22.3']);
  });

  test('pom.xml: properties that name each other, the parent beside it', () => {
    const pom = `<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>7</version></parent>
      <dependencies><dependency><groupId>\${project.groupId}</groupId><artifactId>a</artifactId><version>\${one}</version></dependency>
      <dependency><groupId>g</groupId><artifactId>b</artifactId></dependency></dependencies></project>`;
    const parent = `<project><groupId>g</groupId><artifactId>p</artifactId><version>7</version>
      <properties><one>\${two}</one><two>1.5</two></properties>
      <dependencyManagement><dependencies><dependency><groupId>g</groupId><artifactId>b</artifactId><version>2.0</version>
      </dependency></dependencies></dependencyManagement></project>`;
    assert.deepEqual(read('pom.xml', pom, { '../pom.xml': parent }), ['Maven g:a 1.5', 'Maven g:b 2.0']);
  });

  test('Gemfile.lock: gems of a repository, and those built for a platform', () => {
    const text = `GIT\n  remote: https://example.com/x.git\n  revision: abc1234\n  specs:\n    x (0.1.0)\n
GEM\n  remote: https://gems.example/\n  specs:\n    nokogiri (1.16.0-x86_64-linux)\n      racc (~> 1.4)\n    racc (1.7.3)\n`;
    assert.deepEqual(read('Gemfile.lock', text), [
      'RubyGems x 0.1.0',
      'RubyGems nokogiri 1.16.0',
      'RubyGems racc 1.7.3',
    ]);
  });
});

describe('bad documents', () => {
  test('a merge conflict is named with its line', () => {
    const text = 'a==1\n<<<<<<< HEAD\nb==1\n=======\nb==2\n>>>>>>> other\n';
    assert.match(faultOf('requirements.txt', text), /^line 2 is the marker of a merge conflict/);
  });

  test('what is something else', () => {
    assert.match(faultOf('package-lock.json', '[]'), /no object/);
    assert.match(faultOf('Cargo.lock', '= ='), /no TOML/);
    assert.match(faultOf('pnpm-lock.yaml', 'a: [1'), /no YAML/);
    assert.match(faultOf('pnpm-lock.yaml', 'a: 1'), /lockfileVersion/);
    assert.match(faultOf('pom.xml', '<html></html>'), /no pom\.xml/);
    assert.match(faultOf('yarn.lock', '{}'), /no yarn\.lock|version/);
    assert.match(faultOf('readme.md', ''), /"readme\.md" is the name of no lockfile/);
  });

  test('bombs: aliases, properties, depth', () => {
    const started = cpuMs();
    const aliases = `lockfileVersion: 9\n${Array.from({ length: 200 }, (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1}, *a${n - 1}`}]`).join('\n')}`;
    assert.match(faultOf('pnpm-lock.yaml', aliases), /no YAML/);
    const deepYaml = `lockfileVersion: 9\na: ${'['.repeat(100_000)}`;
    assert.match(faultOf('pnpm-lock.yaml', deepYaml), /no YAML|deep/);
    assert.match(faultOf('package-lock.json', '['.repeat(400_000)), /no JSON|deep/);
    assert.match(faultOf('Cargo.lock', `a = ${'['.repeat(400_000)}`), /no TOML|deep/);
    assert.match(faultOf('pom.xml', '<project>'.repeat(50_000)), /deep|no XML/);
    const laughs = Array.from({ length: 30 }, (_, n) => `<p${n + 1}>\${p${n}}\${p${n}}</p${n + 1}>`).join('');
    const pom = `<project><properties><p0>ha</p0>${laughs}</properties><dependencies><dependency><groupId>g</groupId>
      <artifactId>a</artifactId><version>\${p30}</version></dependency></dependencies></project>`;
    const { read } = readLockfile({ text: pom, filename: 'pom.xml' });
    assert.ok(read!.packages[0]!.version.length <= 256);
    assert.ok(cpuMs() - started < 15_000);
  });

  test('a megabyte of one line, in every format', () => {
    const parts = ['a', ' ', '(', '    a (1', '@', '/', '"', '=', '[', '#', '<', ':', '-', '1.', '\\\n', 'a@', '  x: '];
    for (const format of LOCKFILE_FORMATS) {
      for (const part of parts) {
        const text = `    a (${part.repeat(1_000_000 / part.length)}`;
        const started = cpuMs();
        readLockfile({ text, filename: format });
        readLockfile({ text: text.trim(), filename: format });
        const taken = cpuMs() - started;
        assert.ok(taken < 10_000, `${format}, ${JSON.stringify(part)}: ${taken.toFixed(0)} ms`);
      }
    }
  });

  test('a tree of dependencies a hundred thousand deep', () => {
    const depth = 100_000;
    const text = `{"dependencies":${'{"a":{"version":"1.0.0","dependencies":'.repeat(depth)}{}${'}}'.repeat(depth)}}`;
    const { read, error: fault } = readLockfile({ text, filename: 'package-lock.json' });
    if (fault === null) assert.equal(read!.totalCount, 1);
    else assert.match(fault, /deep/);
  });

  test('an SBOM of a hundred thousand components whose dependencies go in circles', () => {
    const components = Array.from({ length: 100_000 }, (_, n) => ({
      'bom-ref': `${n}`,
      name: `part-${n}`,
      version: '1.0',
      purl: `pkg:npm/part-${n}@1.0`,
    }));
    const dependencies = components.map((_, n) => ({ ref: `${n}`, dependsOn: [`${(n + 1) % components.length}`] }));
    const { read } = readSbom({
      document: { bomFormat: 'CycloneDX', components, dependencies },
      page: { offset: 99_990, limit: 50 },
    });
    assert.equal(read!.totalCount, 100_000);
    assert.equal(read!.packages.length, 10);
    assert.equal(read!.nextOffset, null);
  });
});
