import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readRpmDatabase } from '../../src/analysis/packages/image/rpm-database.ts';
import { readImageArchive } from '../../src/cli/check/read-image.ts';
import { type TarPart, tarOf } from '../feeds/tar-of.ts';
import { temporaryFolder } from './command-line.ts';
import { dpkgStatus, ociImage, osRelease, rpmDatabase, savedImage } from './image-of.ts';

async function readBytes(bytes: Buffer) {
  const absolutePath = join(temporaryFolder(), 'image.tar');
  writeFileSync(absolutePath, bytes);
  return readImageArchive({ path: 'image.tar', absolutePath, bytes: bytes.length });
}

/** Packages as `ecosystem name version`, and gaps. */
async function read(bytes: Buffer): Promise<{ packages: string[]; gaps: string[] }> {
  const { read: found, error } = await readBytes(bytes);
  assert.equal(error, null);
  return {
    packages: found!.packages.map(({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}`),
    gaps: found!.gaps,
  };
}

const STATUS = 'var/lib/dpkg/status';
const DEBIAN = osRelease('debian', '12');
const BASE: TarPart[] = [
  { name: './', type: '5' },
  DEBIAN,
  {
    name: STATUS,
    content: dpkgStatus('curl|7.88.1-10', 'libc6|2.36-9+deb12u4|glibc', 'libdb5.3|5.3.28+dfsg2-1|db (5.3.28)'),
  },
];
const OF_BASE = ['Debian:12 curl 7.88.1-10', 'Debian:12 glibc 2.36-9+deb12u4', 'Debian:12 db 5.3.28'];

describe('the packages of an image', () => {
  test('of Debian, by the sources that they were built from, in each form of archive', async () => {
    for (const bytes of [savedImage(BASE), ociImage(BASE), gzipSync(savedImage(BASE)), gzipSync(ociImage(BASE))]) {
      assert.deepEqual(await read(bytes), { packages: OF_BASE, gaps: [] });
    }
  });

  test('of Debian without a package manager: a file for each package', async () => {
    const folder = 'var/lib/dpkg/status.d';
    const layer = [
      { name: 'usr/lib/os-release', content: 'ID=debian\nVERSION_ID="12"\n' },
      { name: 'etc/os-release', type: '2', target: '../usr/lib/os-release' },
      { name: `${folder}/tzdata`, content: 'Package: tzdata\nVersion: 2024a-0+deb12u1\n' },
      { name: `${folder}/tzdata.md5sums`, content: 'Package: none\nVersion: 1\n' },
    ];
    assert.deepEqual(await read(ociImage(layer)), { packages: ['Debian:12 tzdata 2024a-0+deb12u1'], gaps: [] });
  });

  test('that were removed and left their configuration are not there', async () => {
    const removed =
      'Package: nano\nStatus: deinstall ok config-files\nVersion: 7.2-1\n\nPackage: vim\nStatus: install ok unpacked\nVersion: 9.0\n';
    assert.deepEqual((await read(savedImage([DEBIAN, { name: STATUS, content: removed }]))).packages, [
      'Debian:12 vim 9.0',
    ]);
  });

  test('of Alpine', async () => {
    const installed = 'C:Q1\nP:ssl_client\nV:1.36.1-r5\nA:x86_64\no:busybox\nF:usr/bin\n\nP:musl\nV:1.2.4-r2\n\n';
    const layer = [osRelease('alpine', '3.18.4'), { name: 'lib/apk/db/installed', content: installed }];
    assert.deepEqual((await read(savedImage(layer))).packages, [
      'Alpine:v3.18 busybox 1.36.1-r5',
      'Alpine:v3.18 musl 1.2.4-r2',
    ]);
  });

  test('of distributions with RPM: by their own names, or by their source', async () => {
    const database = { name: 'var/lib/rpm/rpmdb.sqlite', content: rpmDatabase(40) };
    const alma = await read(ociImage([osRelease('almalinux', '9.3'), database]));
    assert.equal(alma.packages.length, 40);
    assert.deepEqual(alma.packages.slice(0, 2), ['AlmaLinux:9 part-1 1:2.0-3.el9', 'AlmaLinux:9 part-2 2.0-3.el9']);
    const rhel = { ...database, name: 'usr/lib/sysimage/rpm/rpmdb.sqlite' };
    const link = { name: 'var/lib/rpm', type: '2', target: '../../usr/lib/sysimage/rpm' };
    const redHat = await read(ociImage([osRelease('rhel', '9.3'), rhel, link]));
    assert.deepEqual([redHat.packages.at(-1), redHat.gaps], ['Red Hat:9 part-40 2.0-3.el9', []]);
    assert.deepEqual((await read(ociImage([osRelease('rocky', '9.3'), database]))).packages, [
      'Rocky Linux:9 parts 1:2.0-3.el9',
      'Rocky Linux:9 parts 2.0-3.el9',
    ]);
  });

  test('of a distribution without advisories here cannot be checked', async () => {
    const { read: found } = await readBytes(savedImage([osRelease('fedora', '39'), BASE[2]!]));
    assert.equal(found!.packages[0]!.problem, 'packages of fedora 39 cannot be checked here');
    const { read: nameless } = await readBytes(savedImage([BASE[2]!]));
    assert.equal(nameless!.packages[0]!.problem, 'the image does not say of which distribution it is');
  });

  test('of several images in one archive', async () => {
    const names = ['a/layer.tar', 'b/layer.tar'];
    const alpine = [osRelease('alpine', '3.18.4'), { name: 'lib/apk/db/installed', content: 'P:musl\nV:1.2.4-r2\n' }];
    const bytes = tarOf([
      { name: names[0]!, content: tarOf(BASE) },
      { name: names[1]!, content: tarOf(alpine) },
      { name: 'manifest.json', content: JSON.stringify(names.map((name) => ({ Layers: [name] }))) },
    ]);
    assert.deepEqual((await read(bytes)).packages, [...OF_BASE, 'Alpine:v3.18 musl 1.2.4-r2']);
  });
});

describe('layers (OCI image specification, "Image Layer Filesystem Changeset")', () => {
  const cases: [what: string, packages: string[], ...layers: TarPart[][]][] = [
    [
      'a higher layer replaces the list',
      ['Debian:12 new 2.0'],
      BASE,
      [{ name: STATUS, content: dpkgStatus('new|2.0') }],
    ],
    ['a whiteout removes the list', [], BASE, [{ name: 'var/lib/dpkg/.wh.status' }]],
    ['a whiteout removes a folder above it', [], BASE, [{ name: 'var/.wh.lib' }]],
    [
      'an opaque folder hides what lower layers have, and not what its own layer has',
      ['Debian:12 new 2.0'],
      [...BASE, { name: 'var/lib/dpkg/status.d/old', content: 'Package: old\nVersion: 1\n' }],
      [{ name: STATUS, content: dpkgStatus('new|2.0') }, { name: 'var/lib/dpkg/.wh..wh..opq' }],
    ],
    ['a whiteout of a lower layer is of no use higher up', OF_BASE, [{ name: 'var/lib/.wh.dpkg' }], BASE],
    ['a whiteout does not remove what its own layer has', OF_BASE, [], [{ name: 'var/lib/dpkg/.wh.status' }, ...BASE]],
    ['a mark of a file system is no whiteout', OF_BASE, BASE, [{ name: 'var/lib/dpkg/.wh..wh.plnk' }]],
    ['a file in the place of a folder hides what was below it', [], BASE, [{ name: 'var/lib/dpkg', content: 'x' }]],
    ['a device in the place of the list hides it', [], BASE, [{ name: STATUS, type: '3' }]],
    [
      'one package of several is removed',
      ['Debian:12 b 1'],
      [
        DEBIAN,
        ...['a', 'b'].map((name) => ({
          name: `var/lib/dpkg/status.d/${name}`,
          content: `Package: ${name}\nVersion: 1\n`,
        })),
      ],
      [{ name: 'var/lib/dpkg/status.d/.wh.a' }],
    ],
  ];
  for (const [what, packages, ...layers] of cases) {
    test(what, async () => {
      for (const bytes of [savedImage(...layers), ociImage(...layers)]) {
        const found = await read(bytes);
        assert.deepEqual(found.packages, packages);
        // Without a list it is not known what is in the image.
        assert.equal(found.gaps.length, packages.length === 0 ? 1 : 0, found.gaps.join());
      }
    });
  }

  test('a layer that two images share was a link', async () => {
    const bytes = tarOf([
      { name: 'a/layer.tar', content: tarOf(BASE) },
      { name: 'b/layer.tar', type: '2', target: '../a/layer.tar' },
      { name: 'manifest.json', content: JSON.stringify([{ Layers: ['b/layer.tar'] }]) },
    ]);
    assert.deepEqual((await read(bytes)).packages, OF_BASE);
  });
});

describe('what is not read of an image is named', () => {
  test('databases of RPM in other forms, and changes beside one', async () => {
    const layer = (name: string) => [osRelease('centos', '7'), { name, content: 'x' }];
    for (const [name, gap] of [
      ['var/lib/rpm/Packages', /Packages is an RPM database in the form of Berkeley DB, which cannot be read here/],
      ['usr/lib/sysimage/rpm/Packages.db', /Packages\.db is an RPM database in the form of NDB/],
      ['var/lib/rpm/rpmdb.sqlite-wal', /changes of the RPM database in var\/lib\/rpm\/rpmdb\.sqlite-wal were not read/],
      ['var/lib/rpm/rpmdb.sqlite', /rpmdb\.sqlite cannot be read: it is no SQLite database/],
    ] as const) {
      assert.match((await read(savedImage(layer(name)))).gaps.join(), gap);
    }
    const empty = { name: 'var/lib/rpm/rpmdb.sqlite-wal', content: '' };
    const database = { name: 'var/lib/rpm/rpmdb.sqlite', content: rpmDatabase(1) };
    assert.deepEqual((await read(savedImage([osRelease('almalinux', '9'), database, empty]))).gaps, []);
  });

  test('layers that are missing, packed otherwise, or broken; the others are read', async () => {
    const blob = `blobs/sha256/${'0'.repeat(64)}`;
    const image = (layers: object[], parts: TarPart[]) => {
      const digest = `sha256:${'1'.repeat(64)}`;
      return tarOf([
        { name: 'index.json', content: JSON.stringify({ manifests: [{ digest }] }) },
        { name: `blobs/sha256/${'1'.repeat(64)}`, content: JSON.stringify({ layers }) },
        { name: blob, content: tarOf(BASE) },
        ...parts,
      ]);
    };
    const layer = (digit: string, type = 'tar') => ({
      digest: `sha256:${digit.repeat(64)}`,
      mediaType: `application/vnd.oci.image.layer.v1.${type}`,
    });
    const gapsOf = async (layers: object[], parts: TarPart[] = []) => {
      const { packages, gaps } = await read(image(layers, parts));
      assert.deepEqual(packages, OF_BASE);
      return gaps;
    };
    assert.deepEqual(await gapsOf([layer('0'), layer('2')]), ['layer 2 of 2 is not in the archive']);
    assert.deepEqual(await gapsOf([layer('0'), layer('0', 'tar+zstd')]), [
      'layer 2 of 2 is packed with zstd, which cannot be read here',
    ]);
    const other = { name: `blobs/sha256/${'3'.repeat(64)}` };
    assert.deepEqual(await gapsOf([layer('0'), layer('3')], [{ ...other, content: 'x'.repeat(2000) }]), [
      'its layer 2 cannot be read: this is not a tar archive',
    ]);
    const cut = gzipSync(tarOf(BASE)).subarray(0, 200);
    assert.match(
      (await gapsOf([layer('0'), layer('3')], [{ ...other, content: cut }])).join(),
      /layer 2 cannot be read/,
    );
  });

  test('links in the place of a list', async () => {
    const link = { name: 'var/lib/dpkg', type: '2', target: '/opt/dpkg' };
    assert.deepEqual((await read(savedImage([DEBIAN, link]))).gaps, [
      'var/lib/dpkg is a link to /opt/dpkg, which was not followed',
      'it has no list of packages that is known here (dpkg, apk, RPM)',
    ]);
  });

  test('archives that are no images', async () => {
    for (const [bytes, error] of [
      [tarOf([{ name: 'a.txt', content: 'x' }]), /it is no image: it has neither/],
      [Buffer.from('x'.repeat(2000)), /this is not a tar archive/],
      [savedImage(BASE).subarray(0, 1500), /ends before it is complete/],
      [gzipSync(savedImage(BASE)).subarray(0, 100), /gzip file ends before/],
      [tarOf([{ name: 'manifest.json', content: '[]' }]), /it has no image/],
      [tarOf([{ name: 'manifest.json', content: '{broken' }]), /it is no image/],
    ] as const) {
      assert.match((await readBytes(bytes)).error ?? '', error);
    }
    const gone = { path: 'x.tar', absolutePath: join(temporaryFolder(), 'x.tar'), bytes: 1 };
    assert.deepEqual(await readImageArchive(gone), { read: null, error: 'it cannot be opened' });
  });
});

describe('hostile images', () => {
  test('paths that lead out of the image name nothing in it', async () => {
    const forged = dpkgStatus('forged|1.0');
    const layer = [
      ...BASE,
      { name: `../${STATUS}`, content: forged },
      { name: `var/lib/x/../dpkg/status`, content: forged },
      { name: 'var/lib/.wh...', content: '' },
      { name: 'var/lib/.wh.', content: '' },
    ];
    assert.deepEqual(await read(savedImage(layer)), { packages: OF_BASE, gaps: [] });
    const absolute = [DEBIAN, { name: `/${STATUS}`, content: dpkgStatus('curl|1.0') }];
    assert.deepEqual((await read(savedImage(absolute))).packages, ['Debian:12 curl 1.0']);
  });

  test('links of the archive that go in circles, or out of it', async () => {
    for (const target of ['b/layer.tar', '../../../etc/passwd', '/etc/passwd', 'c']) {
      const bytes = tarOf([
        { name: 'b/layer.tar', type: '1', target },
        { name: 'c', type: '1', target: 'b/layer.tar' },
        { name: 'manifest.json', content: JSON.stringify([{ Layers: ['b/layer.tar'] }]) },
      ]);
      assert.deepEqual((await read(bytes)).gaps[0], 'layer 1 of 1 is not in the archive');
    }
  });

  test('a list that unpacks to a thousand times its size, or claims a size that it has not', async () => {
    const bomb = gzipSync(
      Buffer.concat([
        tarOf([DEBIAN]).subarray(0, -1024),
        tarOf([{ name: 'zeros', content: Buffer.alloc(40 * 1024 ** 2) }]),
      ]),
    );
    const archive = (content: Buffer) =>
      tarOf([
        { name: 'layer.tar', content },
        { name: 'manifest.json', content: JSON.stringify([{ Layers: ['layer.tar'] }]) },
      ]);
    assert.match((await read(archive(bomb))).gaps[0]!, /its layer 1 cannot be read: .*256 times its size/);
    for (const [claimedSize, gap] of [
      ['77777777777\0', /ends before it is complete|larger than/],
      ['-1\0', /is not a number/],
      [`\x80${'\xff'.repeat(11)}`, /is not a number/],
      ['x\0', /is not a number/],
    ] as const) {
      const layer = tarOf([DEBIAN, { name: STATUS, content: dpkgStatus('a|1'), claimedSize }]);
      assert.match((await read(archive(layer))).gaps[0]!, gap, claimedSize);
    }
  });

  test('a database whose pages go in circles, and one whose records are longer than it', async () => {
    const database = rpmDatabase(40);
    const gapsOf = async (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(database);
      change(bytes);
      return (
        await read(savedImage([osRelease('almalinux', '9'), { name: 'var/lib/rpm/rpmdb.sqlite', content: bytes }]))
      ).gaps;
    };
    // The root of the table, whose first child becomes the root itself.
    const root = 4096;
    assert.equal(database[root], 5, 'an inner page');
    const cell = root + database.readUInt16BE(root + 12);
    assert.match(
      (await gapsOf((bytes) => bytes.writeUInt32BE(2, cell))).join(),
      /cannot be read: a page of it is broken/,
    );
    assert.match((await gapsOf((bytes) => bytes.writeUInt32BE(4_000_000, cell))).join(), /a page of it is broken/);
    const leaf = (database.readUInt32BE(cell) - 1) * 4096;
    const record = leaf + database.readUInt16BE(leaf + 8);
    assert.match((await gapsOf((bytes) => bytes.fill(0xff, record, record + 6))).join(), /a record of it is broken/);
    for (let seed = 1; seed < 200; seed++) {
      const bytes = Buffer.from(database);
      bytes.writeUInt8((seed * 151) % 256, (seed * 7919) % bytes.length);
      const gaps: string[] = [];
      const found = readRpmDatabase(bytes, 'rpmdb.sqlite', (gap) => gaps.push(gap));
      // Whatever changed: no more than was there, and nothing lost without a word.
      assert.ok(found.length <= 41 && (found.length >= 39 || gaps.length > 0), `${seed}: ${found.length}`);
    }
  });
});
