import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readLockfile } from '../../../src/analysis/packages/read-document.ts';

function read(text: string, companions: Record<string, string> = {}) {
  const { read, error: fault } = readLockfile({ text, filename: 'requirements.txt', companions });
  assert.equal(fault, null);
  return read!;
}

/** By pip's documentation, "Requirements File Format" and "Requirement Specifiers", and by PEP 440 and PEP 508. */
const EXACT: readonly [line: string, name: string, version: string][] = [
  ['docopt == 0.6.1', 'docopt', '0.6.1'],
  ['yolo===1.0', 'yolo', '1.0'],
  ['requests[security]==2.8.1', 'requests', '2.8.1'],
  ['celery [redis, pytest] == 4.4.7', 'celery', '4.4.7'],
  ['SomeProject==5.4 ; python_version < "3.8"', 'SomeProject', '5.4'],
  ["SomeProject==5.4; sys_platform == 'win32'", 'SomeProject', '5.4'],
  ['name (==1.2)', 'name', '1.2'],
  ['PyCrypto==1.2-alpha  # a comment', 'PyCrypto', '1.2-alpha'],
  [
    'FooProject == 1.2 --hash=sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    'FooProject',
    '1.2',
  ],
  ['FooProject==1.2 \\\n  --hash=sha256:2cf24dba \\\n  --hash=sha256:486ea462', 'FooProject', '1.2'],
  ['foo==1.0 --global-option="bar" --config-settings="baz"', 'foo', '1.0'],
  ['local==1.0+build.5', 'local', '1.0+build.5'],
  ['epoch==1!2.0', 'epoch', '1!2.0'],
  ['./downloads/numpy-1.9.2-cp34-none-win32.whl', 'numpy', '1.9.2'],
  [
    'http://wxpython.example/wxPython_Phoenix-3.0.3.dev1820-cp34-none-win_amd64.whl',
    'wxPython_Phoenix',
    '3.0.3.dev1820',
  ],
];

const UNCHECKED: readonly [line: string, name: string, version: string][] = [
  ['django!=2.2.0', 'django', '!=2.2.0'],
  ['django<2.2', 'django', '<2.2'],
  ['django>2.2', 'django', '>2.2'],
  ['SomeProject >= 1.2', 'SomeProject', '>= 1.2'],
  ['SomeProject~=1.4.2', 'SomeProject', '~=1.4.2'],
  ['asdf==0.7.*', 'asdf', '==0.7.*'],
  ['keyring >= 4.1.1, ==4.1.*', 'keyring', '>= 4.1.1, ==4.1.*'],
  ['pkg<=1.2.3', 'pkg', '<=1.2.3'],
  ['name==${VERSION}', 'name', '==${VERSION}'],
  ['urllib3 @ https://example.com/urllib3/archive/refs/tags/1.26.8.zip', 'urllib3', ''],
  ['git+https://example.com/x.git@v1.0#egg=MyProject', 'MyProject', ''],
  ['-e git+https://example.com/x.git#egg=my-project&subdirectory=src', 'my-project', ''],
  ['--editable=git+ssh://git@example.com/x.git#egg=other', 'other', ''],
];

describe('a requirement', () => {
  for (const [line, name, version] of EXACT) {
    test(`with one version: ${line}`, () => {
      const { packages, gaps } = read(`${line}\n`);
      assert.deepEqual(packages, [{ name, version, ecosystem: 'PyPI', line: 1 }]);
      assert.deepEqual(gaps, []);
    });
  }

  for (const [line, name, version] of UNCHECKED) {
    test(`without one: ${line}`, () => {
      const { packages } = read(`${line}\n`);
      assert.equal(packages.length, 1);
      const { problem, ...rest } = packages[0]!;
      assert.deepEqual(rest, { name, version, ecosystem: 'PyPI', line: 1 });
      assert.match(problem!, /range|address/);
    });
  }

  test('without any version is listed, with none', () => {
    assert.deepEqual(read('beautifulsoup4\n').packages, [
      { name: 'beautifulsoup4', version: '', ecosystem: 'PyPI', line: 1 },
    ]);
  });
});

describe('lines that are no requirement', () => {
  test('options, comments and blank lines say nothing of packages', () => {
    const text =
      '\uFEFF# a comment \\\n\n--index-url https://pypi.example/simple\n-i https://pypi.example\n-c constraints.txt\n--no-binary :all:\n--pre\nsix==1.16.0\n';
    const { packages, gaps } = read(text);
    assert.deepEqual(packages, [{ name: 'six', version: '1.16.0', ecosystem: 'PyPI', line: 8 }]);
    assert.deepEqual(gaps, []);
  });

  test('what installs something without saying what is a gap, not a package', () => {
    const { packages, gaps } = read('https://example.com/a.zip\n./folder\n-e .\ngit+https://example.com/x.git\n');
    assert.deepEqual(packages, []);
    assert.deepEqual(gaps, ['no package is named in line 1, line 2, line 3 and 1 more']);
  });

  test('a file that it includes is read, relative to the file that names it, and once; one that is not there is a gap', () => {
    const companions = {
      'more/base.txt': '-r next.txt\nbase==1.0\n',
      'more/next.txt': '-r base.txt\nnext==2.0\n',
    };
    const { packages, gaps } = read('-r more/base.txt\n--requirement gone.txt\nsix==1.0\n', companions);
    assert.deepEqual(packages.map(({ name, version }) => `${name} ${version}`).sort(), [
      'base 1.0',
      'next 2.0',
      'six 1.0',
    ]);
    assert.deepEqual(gaps, ['the file gone.txt, which it includes, was not read']);
  });
});
