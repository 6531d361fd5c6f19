import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { readConfig } from '../../src/config.ts';

/** The chart for Helm and the manifests that are rendered from it: what Kubernetes would refuse, and what must hold of every pod. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHART = 'deploy/helm/sextant';
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

interface Container {
  name: string;
  image: string;
  command?: string[];
  securityContext: Record<string, unknown>;
  envFrom: unknown[];
  resources: Record<'requests' | 'limits', { cpu: string; memory: string }>;
  ports: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string }[];
  livenessProbe: object;
  readinessProbe: object;
}
interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    serviceAccountName: string;
    automountServiceAccountToken: boolean;
    enableServiceLinks: boolean;
    hostNetwork?: boolean;
    securityContext: Record<string, unknown>;
    containers: Container[];
    initContainers?: Container[];
    volumes: Record<string, unknown>[];
  };
}
interface PolicyRule {
  to?: Peer[];
  from?: Peer[];
  ports: { protocol: string; port: number }[];
}
interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  podSelector?: unknown;
  namespaceSelector?: unknown;
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  data?: Record<string, string>;
  spec?: {
    template?: PodTemplate;
    selector?: Record<string, string>;
    podSelector?: { matchLabels: Record<string, string> };
    policyTypes?: string[];
    ingress?: PolicyRule[];
    egress?: PolicyRule[];
    ports?: { targetPort: string }[];
    volumeClaimTemplates?: { metadata: { name: string } }[];
  };
}

const parse = (yaml: string): Manifest[] =>
  (loadAll(yaml) as (Manifest | null)[]).filter((manifest) => manifest !== null);
const single = parse(read('deploy/kubernetes/single/sextant.yaml'));
const cluster = parse(read('deploy/kubernetes/cluster/sextant.yaml'));
const ENGINES = ['cache', 'counters', 'postgres'];

const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);
const workloads = (manifests: readonly Manifest[]): Manifest[] =>
  manifests.filter(({ spec }) => spec?.template !== undefined);
const named = (manifests: readonly Manifest[], kind: string, name: string): Manifest =>
  ofKind(manifests, kind).find(({ metadata }) => metadata.name === name)!;

/** Renders with Helm where it is; null: it is not. */
function render(...args: string[]): Manifest[] | null {
  const { status, stdout, stderr, error } = spawnSync(
    'helm',
    ['template', 'sextant', CHART, '--namespace', 'sextant', ...args],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (error !== undefined) return null;
  assert.equal(status, 0, stderr);
  return parse(stdout);
}
const NO_HELM = spawnSync('helm', ['version']).error !== undefined && 'no helm';

/**
 * What the Kubernetes API would refuse: types, formats and values by its OpenAPI schema, and fields that it does not know by the types
 * made from that, which the schema lets pass.
 */
async function faultsOf(t: TestContext, manifests: readonly Manifest[]): Promise<string[]> {
  const faults: string[] = [];
  const lines: string[] = [];
  for (const [at, manifest] of manifests.entries()) {
    const { apiVersion, kind } = manifest;
    const models = (await import(`kubernetes-models/${apiVersion}`)) as Record<
      string,
      new (
        data: Manifest,
      ) => { validate(): void }
    >;
    try {
      new models[kind]!(manifest).validate();
    } catch (error) {
      faults.push(`${kind} ${manifest.metadata.name}: ${(error as Error).message}`);
    }
    lines.push(
      `import { type I${kind} as T${at} } from 'kubernetes-models/${apiVersion}'; export const m${at}: T${at} = ${JSON.stringify(manifest)};`,
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'sextant-manifests-'));
  t.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'manifests.mts'), lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--pretty', 'false'];
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'manifests.mts'],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) faults.push(...stdout.trim().split('\n'));
  return faults;
}

/** What holds of every pod: the restricted profile of Kubernetes, limits, probes, a version. */
function checkPods(manifests: readonly Manifest[]): void {
  for (const { metadata, spec } of workloads(manifests)) {
    const pod = spec!.template!.spec;
    const { runAsUser, runAsGroup, fsGroup, ...security } = pod.securityContext;
    assert.deepEqual(security, {
      runAsNonRoot: true,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const id of [runAsUser, runAsGroup, fsGroup]) assert.ok((id as number) > 0, metadata.name);
    assert.equal(pod.automountServiceAccountToken, false);
    assert.equal(pod.hostNetwork, undefined);
    // A Service named `sextant` would otherwise set SEXTANT_PORT, to tcp://..., and the service would not start.
    assert.equal(pod.enableServiceLinks, false);
    assert.equal(pod.initContainers, undefined);
    assert.equal(pod.containers.length, 1);
    for (const container of pod.containers) {
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.match(container.image, /^[\w./-]+:\d[\w.-]*(@sha256:[0-9a-f]{64})?$/);
      for (const amounts of [container.resources.requests, container.resources.limits]) {
        assert.match(amounts.cpu, /^\d+m?$/);
        assert.match(amounts.memory, /^\d+[MG]i$/);
      }
      assert.ok(container.livenessProbe && container.readinessProbe, metadata.name);
      const volumes = [...pod.volumes, ...(spec!.volumeClaimTemplates ?? []).map((claim) => claim.metadata)];
      assert.deepEqual(
        container.volumeMounts.map(({ name }) => name).toSorted(),
        volumes.map(({ name }) => name).toSorted(),
      );
      for (const { hostPath } of pod.volumes) assert.equal(hostPath, undefined);
    }
  }
}

for (const [name, manifests, count] of [
  ['single', single, 6],
  ['cluster', cluster, 17],
] as const) {
  describe(`manifests: ${name}`, () => {
    test('are what Kubernetes accepts', async (t) => {
      assert.equal(manifests.length, count);
      assert.deepEqual(await faultsOf(t, manifests), []);
    });

    test('are rendered from the chart as it is', () => {
      const files = globSync(`${CHART}/**`, { cwd: ROOT, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted();
      assert.ok(files.length > 10);
      const hash = createHash('sha256');
      for (const file of files) hash.update(readFileSync(file));
      assert.equal(read(`deploy/kubernetes/${name}/sextant.yaml`).split('\n')[1], `# ${hash.digest('hex')}`);
    });

    test('run every pod without rights, with limits and probes', () => checkPods(manifests));

    test('have selectors and ports that lead to pods', () => {
      const pods = workloads(manifests).map(({ spec }) => spec!.template!);
      for (const { spec, metadata } of ofKind(manifests, 'Service')) {
        const served = pods.find(({ metadata: { labels } }) =>
          Object.entries(spec!.selector!).every(([key, value]) => labels[key] === value),
        );
        const ports = served?.spec.containers[0]!.ports.map((port) => port.name);
        for (const { targetPort } of spec!.ports!) assert.ok(ports?.includes(targetPort), metadata.name);
      }
      const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec!.podSelector!.matchLabels);
      for (const { metadata } of pods) assert.ok(policies.some((labels) => isEqual(labels, metadata.labels)));
    });
  });
}

const isEqual = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

test('what Kubernetes would refuse is found: a field that it does not know, a value of another type', async (t) => {
  const unknown = structuredClone(named(single, 'StatefulSet', 'sextant'));
  Object.assign(unknown.spec!.template!.spec.containers[0]!, { readinesProbe: {} });
  const wrong = structuredClone(named(single, 'StatefulSet', 'sextant'));
  Object.assign(wrong.spec!, { replicas: 'three' });
  const faults = await faultsOf(t, [unknown, wrong]);
  assert.equal(faults.length, 3);
  assert.match(faults[0]!, /replicas must be integer/);
  assert.match(faults[1]!, /^manifests\.mts\(1,.*readinesProbe/);
  assert.match(faults[2]!, /^manifests\.mts\(2,/);
});

describe('network policies', () => {
  const service = named(cluster, 'NetworkPolicy', 'sextant').spec!;

  test('let the service out to public addresses, the resolver and its engines, by the ports that it uses', () => {
    assert.deepEqual(service.policyTypes, ['Ingress', 'Egress']);
    const blocks = service.egress!.flatMap(({ to }) => to!.flatMap(({ ipBlock }) => ipBlock ?? []));
    assert.deepEqual(
      blocks.map(({ cidr }) => cidr),
      ['0.0.0.0/0', '2000::/3'],
    );
    // RFC 1918, RFC 6598 and loopback, link-local (where clouds have their metadata), multicast and above.
    const needed = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'];
    for (const cidr of [...needed, '224.0.0.0/3']) assert.ok(blocks[0]!.except!.includes(cidr), cidr);
    const [resolver, outside, valkey, postgres, ...rest] = service.egress!.map(({ ports }) =>
      ports.map(({ protocol, port }) => `${protocol} ${port}`).toSorted(),
    );
    assert.deepEqual(resolver, ['TCP 53', 'UDP 53']);
    assert.deepEqual(outside, ['TCP 43', 'TCP 443', 'TCP 53', 'TCP 80', 'UDP 53']);
    assert.deepEqual([valkey, postgres, rest], [['TCP 6379'], ['TCP 5432'], []]);
  });

  test('let in the door alone, and engines reach nothing', () => {
    assert.equal(service.ingress!.length, 1);
    assert.deepEqual(service.ingress![0]!.ports, [{ protocol: 'TCP', port: 8080 }]);
    assert.ok(service.ingress![0]!.from!.every((peer) => peer.namespaceSelector !== undefined));
    for (const engine of ENGINES) {
      const { policyTypes, egress, ingress } = named(cluster, 'NetworkPolicy', engine).spec!;
      assert.deepEqual([policyTypes, egress], [['Ingress', 'Egress'], []]);
      assert.deepEqual(ingress![0]!.from, [
        { podSelector: { matchLabels: named(cluster, 'StatefulSet', 'sextant').spec!.template!.metadata.labels } },
      ]);
    }
  });
});

describe('the same as with compose', () => {
  const compose = load(read('compose.cluster.yaml'), { schema: YAML11_SCHEMA }) as {
    services: Record<string, { command?: string[]; user: string; image: string }>;
  };
  const images = new Map([...read('deploy/pin-images.sh').matchAll(/^(\w+_IMAGE) (\S+)$/gm)].map(([, a, b]) => [a, b]));

  for (const engine of ENGINES) {
    test(`${engine}: image, user, command and name in the addresses of deploy/secrets.sh`, () => {
      const { command, user, image } = compose.services[engine]!;
      const [workload] = workloads(cluster).filter(({ metadata }) => metadata.name === engine);
      const { containers, securityContext } = workload!.spec!.template!.spec;
      assert.equal(containers[0]!.image, images.get(/\w+_IMAGE/.exec(image)![0]));
      assert.equal(`${securityContext.runAsUser}:${securityContext.runAsGroup}`, user);
      assert.deepEqual(
        containers[0]!.command,
        command?.map((word) => word.replaceAll('$$', '$')),
      );
      assert.match(
        read('deploy/secrets.sh'),
        new RegExp(`@${engine}:${containers[0]!.ports[0]!.containerPort}(/|$)`, 'm'),
      );
      assert.ok(named(cluster, 'Service', engine));
    });
  }

  test('the service reads settings that exist, and secrets from the Secret of its name', () => {
    for (const manifests of [single, cluster]) {
      const settings = named(manifests, 'ConfigMap', 'sextant').data!;
      assert.ok(Object.keys(settings).length > 0);
      assert.doesNotThrow(() => readConfig([], settings));
      const { envFrom } = named(manifests, 'StatefulSet', 'sextant').spec!.template!.spec.containers[0]!;
      assert.deepEqual(envFrom, [
        { configMapRef: { name: 'sextant' } },
        { secretRef: { name: 'sextant', optional: manifests === single } },
      ]);
    }
  });
});

describe('values', () => {
  const defaults = load(read(`${CHART}/values.yaml`)) as Record<string, object>;
  // Strict mode wants the type again beside each condition.
  const isValid = new Ajv({ strictTypes: false, strictRequired: false }).compile(
    JSON.parse(read(`${CHART}/values.schema.json`)) as object,
  );
  const isAccepted = (part: string, change: object): boolean =>
    isValid({ ...defaults, [part]: { ...defaults[part], ...change } });

  test('are described by their schema, all of them', () => {
    assert.ok(isValid(defaults), JSON.stringify(isValid.errors));
    const { properties } = JSON.parse(read(`${CHART}/values.schema.json`)) as { properties: object };
    assert.deepEqual(Object.keys(properties).toSorted(), [...Object.keys(defaults), 'global'].toSorted());
  });

  test('that cannot be right are refused', () => {
    assert.ok(isAccepted('image', { tag: '0.1.0' }));
    assert.ok(!isAccepted('image', { tag: 'latest' }));
    assert.ok(!isAccepted('image', { digest: 'sha256:short' }));
    assert.ok(!isAccepted('image', { repositry: 'x' }));
    assert.ok(isAccepted('settings', { SEXTANT_QUOTA_KEYLESS: '100' }));
    // A large number would arrive as 1e+06.
    assert.ok(!isAccepted('settings', { SEXTANT_QUOTA_KEYLESS: 1_000_000 }));
    for (const variable of ['SEXTANT_SECRET', 'SEXTANT_DATABASE_URL', 'SEXTANT_GITHUB_TOKEN', 'SEXTANT_PORT', 'OTHER'])
      assert.ok(!isAccepted('settings', { [variable]: 'x' }), variable);
    assert.ok(!isAccepted('ingress', { enabled: true }));
    const ingress = { ...defaults['ingress'], enabled: true };
    assert.ok(isValid({ ...defaults, ingress, settings: { SEXTANT_TRUSTED_PROXIES: '10.0.0.0/8' } }));
  });

  test('of all kinds render to what Kubernetes accepts', { skip: NO_HELM }, async (t) => {
    const digest = `sha256:${'a1'.repeat(32)}`;
    const all = render(
      '--values',
      `${CHART}/values-cluster.yaml`,
      ...['ingress.enabled=true', 'ingress.className=a', 'metrics.enabled=true', `image.digest=${digest}`].flatMap(
        (value) => ['--set', value],
      ),
      '--set-string',
      'settings.SEXTANT_TRUSTED_PROXIES=10.0.0.0/8,storage.className=fast',
      '--set-json',
      'networkPolicy={"blockedCidrs":["192.0.2.0/24","2001:db8::/32"],"extraEgress":[{"ports":[{"port":5433}]}]}',
    )!;
    assert.deepEqual(await faultsOf(t, all), []);
    checkPods(all);
    assert.equal(ofKind(all, 'Ingress').length, 1);
    assert.match(JSON.stringify(named(all, 'StatefulSet', 'sextant')), new RegExp(`@${digest}"`));
    const text = JSON.stringify(named(all, 'NetworkPolicy', 'sextant'));
    for (const part of ['"192.0.2.0/24"', '"2001:db8::/32"', '"port":5433', '"port":9464'])
      assert.ok(text.includes(part));
    assert.deepEqual(render(), single);
    assert.deepEqual(render('--values', `${CHART}/values-cluster.yaml`), cluster);
  });
});
