import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { readConfig } from '../../src/config.ts';
import { adaptedConf, NO_NGINX } from './nginx.ts';

/** What must hold of the images and services that we hand out, where no engine runs to show it. */

const ROOT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');

interface ComposeService {
  image: string;
  build?: { context: string; args: Record<string, string> };
  command?: string[];
  mem_limit?: string;
  pids_limit?: number;
  tmpfs?: string[];
  user?: string;
  read_only?: boolean;
  privileged?: boolean;
  cap_add?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number };
  environment?: Record<string, string>;
  env_file?: string[];
  ports?: string[];
  volumes?: string[];
  networks?: string[] | Record<string, { ipv4_address: string }>;
  depends_on?: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>;
  volumes: Record<string, unknown>;
}

// Merge keys are of YAML 1.1, and Compose knows them.
const composed = (file: string): Compose => load(read(file), { schema: YAML11_SCHEMA }) as Compose;
const single = composed('compose.yaml');
const compose = composed('compose.cluster.yaml');
const services = Object.entries(compose.services);
const REPLICAS = ['replica-1', 'replica-2', 'replica-3'];
/** A tag that says what it is, and the digest that deploy/pin-images.sh found. */
const PINNED = /^\$\{(\w+_IMAGE):\?run deploy\/pin-images\.sh first\}$/;

describe('compose', () => {
  for (const [name, service] of [...services, ...Object.entries(single.services)]) {
    test(`${name} runs without rights, on a file system that it cannot write to, and is looked after`, () => {
      assert.match(service.user!, /^[1-9]\d*:[1-9]\d*$/);
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.equal(service.cap_add, undefined);
      assert.equal(service.privileged, undefined);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      assert.ok(service.healthcheck!.test.length > 1);
      assert.ok(service.healthcheck!.retries > 0);
    });

    test(`${name} cannot use up the machine`, () => {
      assert.match(service.mem_limit!, /^\d+[mg]$/);
      assert.ok(service.pids_limit! > 0 && service.pids_limit! <= 512);
      for (const mount of service.tmpfs ?? []) assert.match(mount, /[:,]size=\d+m\b/);
    });
  }

  test('one container alone, or three replicas with all that they share', () => {
    assert.deepEqual(Object.keys(single.services), ['sextant']);
    const names = [...REPLICAS, 'proxy', 'counters', 'cache', 'postgres'];
    assert.deepEqual(Object.keys(compose.services).toSorted(), names.toSorted());
    for (const [name, { depends_on = {} }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        assert.ok(other in compose.services, `${name} waits for ${other}`);
        assert.equal(condition, 'service_healthy');
      }
    }
  });

  test('volumes and networks that are used are there', () => {
    for (const [, { volumes = [], networks = [] }] of services) {
      for (const volume of volumes) {
        const source = volume.split(':')[0]!;
        assert.ok(source in compose.volumes || existsSync(new URL(source, ROOT)), source);
      }
      for (const network of Array.isArray(networks) ? networks : Object.keys(networks))
        assert.ok(network in compose.networks);
    }
  });

  test('the proxy alone is reached from outside in a cluster, and it alone is believed', () => {
    const { proxy, counters, cache, postgres } = compose.services;
    for (const [name, { ports }] of services) if (name !== 'proxy') assert.equal(ports, undefined, name);
    const { ipv4_address } = (proxy!.networks as Record<string, { ipv4_address: string }>).front!;
    for (const name of REPLICAS) {
      assert.equal(compose.services[name]!.environment!.SEXTANT_TRUSTED_PROXIES, ipv4_address);
    }
    for (const engine of [counters!, cache!, postgres!]) assert.deepEqual(engine.networks, ['engines']);
    assert.equal(compose.networks.engines!.internal, true);
  });

  test('alone or as a replica, the service is the same', () => {
    const { ports: _, build: ofSingle, environment: _guard, ...alone } = single.services.sextant!;
    for (const name of REPLICAS) {
      const { env_file, environment, networks, depends_on, build, ...replica } = compose.services[name]!;
      assert.deepEqual(replica, alone);
      assert.deepEqual({ ...build, args: {} }, { ...ofSingle, args: {} });
    }
  });

  test('published to this machine alone, the service answers by names of this machine, and no page of another origin', () => {
    const { ports, environment } = single.services.sextant!;
    assert.deepEqual(ports, ['127.0.0.1:8080:8080']);
    const { allowedHosts, allowedOrigins } = readConfig([], environment!);
    assert.deepEqual(allowedHosts, ['localhost']);
    assert.deepEqual(allowedOrigins, ['http://localhost:8080', 'http://127.0.0.1:8080']);
  });

  test('what counts callers forgets nobody when it is full; what keeps answers may', () => {
    const policyOf = (name: string): string | undefined =>
      /--maxmemory \d+mb --maxmemory-policy (\S+)/.exec(compose.services[name]!.command!.at(-1)!)?.[1];
    assert.deepEqual([policyOf('counters'), policyOf('cache')], ['noeviction', 'allkeys-lru']);
    const settings = read('deploy/secrets.sh');
    assert.match(settings, /^SEXTANT_REDIS_URL=redis:.*@counters:6379$/m);
    assert.match(settings, /^SEXTANT_REDIS_CACHE_URL=redis:.*@cache:6379$/m);
    for (const name of REPLICAS) {
      for (const engine of ['counters', 'cache', 'postgres']) assert.ok(engine in compose.services[name]!.depends_on!);
    }
  });

  test('images of a cluster come by digest, and each has a tag that says its version', () => {
    const listed = new Map(
      [...read('deploy/pin-images.sh').matchAll(/^([A-Z_]+_IMAGE) (\S+)$/gm)].map(([, name, image]) => [name!, image!]),
    );
    const used = services.flatMap(([, { image, build }]) =>
      build === undefined ? [image] : Object.values(build.args),
    );
    for (const image of used) assert.ok(listed.has(PINNED.exec(image)?.[1] ?? ''), image);
    assert.equal(new Set(used).size, listed.size);
    // Images without a distribution have their versions in the name.
    for (const [name, image] of listed) assert.match(image, /^[\w./-]+(:\d[\w.-]*|\d+-debian\d+:nonroot)$/, name);
    const { NODE_IMAGE, BASE_IMAGE } = single.services.sextant!.build!.args;
    for (const arg of [NODE_IMAGE, BASE_IMAGE]) {
      const [, variable, byDefault] = /^\$\{(\w+):-(.*)\}$/.exec(arg!)!;
      assert.equal(byDefault, listed.get(variable!));
    }
  });

  test('no secret stands in them', () => {
    for (const file of ['compose.yaml', 'compose.cluster.yaml', 'Dockerfile']) {
      assert.doesNotMatch(read(file), /(PASSWORD|SECRET|TOKEN|KEY)\s*[:=]\s*["']?\w/, file);
    }
  });
});

describe('deploy', () => {
  test('secrets.sh makes settings that the service accepts, for its owner only, and never twice', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sextant-deploy-'));
    t.after(() => rmSync(folder, { recursive: true }));
    cpSync(new URL('deploy/secrets.sh', ROOT), join(folder, 'secrets.sh'));
    const run = () => spawnSync('sh', [join(folder, 'secrets.sh')], { encoding: 'utf8' });
    const made = run();
    if (made.stderr.includes('openssl')) return t.skip('no openssl');
    assert.equal(made.status, 0, made.stderr);
    const settings = (name: string): Record<string, string> =>
      Object.fromEntries(
        readFileSync(join(folder, name), 'utf8')
          .trim()
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
    const { secret, redisUrl, redisCacheUrl, databaseUrl, metricsToken } = readConfig([], settings('sextant.env'));
    assert.equal(new URL(redisUrl!).password, settings('valkey.env').VALKEY_PASSWORD);
    assert.equal(new URL(redisCacheUrl!).password, settings('valkey.env').VALKEY_PASSWORD);
    assert.equal(new URL(databaseUrl!).password, settings('postgres.env').POSTGRES_PASSWORD);
    assert.ok(secret!.length >= 64 && metricsToken!.length >= 48);
    for (const name of ['sextant.env', 'valkey.env', 'postgres.env']) {
      assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
    }
    const before = settings('sextant.env');
    assert.equal(run().status, 1);
    assert.deepEqual(settings('sextant.env'), before);
  });

  test('pin-images.sh writes what the registry says, keeps other settings, and changes nothing where there is no digest', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sextant-pin-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const script = join(folder, 'deploy', 'pin-images.sh');
    cpSync(new URL('deploy/pin-images.sh', ROOT), script);
    const docker = (does: string): void => {
      writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
    };
    const run = () =>
      spawnSync('sh', [script], { encoding: 'utf8', env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } });
    const digest = `sha256:${'a1'.repeat(32)}`;
    writeFileSync(join(folder, '.env'), 'OTHER=1\nNGINX_IMAGE=old\n');
    docker(`echo ${digest}`);
    assert.equal(run().status, 0);
    const written = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n');
    assert.equal(written.length, 6);
    assert.ok(
      written.includes('OTHER=1') &&
        written.some((line) => line.startsWith('NGINX_IMAGE=nginx:') && line.endsWith(`@${digest}`)),
    );
    for (const fails of ['exit 1', 'echo', 'echo sha256:short']) {
      docker(fails);
      assert.notEqual(run().status, 0);
      assert.deepEqual(readFileSync(join(folder, '.env'), 'utf8').trim().split('\n'), written);
      assert.equal(existsSync(join(folder, '.env.tmp')), false);
    }
  });

  test('nginx reads nginx.conf', { skip: NO_NGINX }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sextant-nginx-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const conf = join(folder, 'nginx.conf');
    writeFileSync(conf, adaptedConf(folder, [1, 2, 3], 8080));
    const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-p', folder, '-c', conf], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
});
