import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fact, suiteFact } from './facts.ts';

/** Another tool that looks at a server on a port of 127.0.0.1. */
export interface Peer {
  name: string;
  /** Package and version of Debian; null: not installed. */
  version: () => string | null;
  /** One of so many servers is looked at: the others would take hours. */
  oneOf: number;
  ask: (port: number) => Promise<{ facts: Set<Fact>; isStopped: boolean }>;
}

/** testssl takes minutes; what it has found by then counts. */
const LIMIT_MS = 150_000;

const debianVersion = (name: string) => (): string | null => {
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Version}', name], { encoding: 'utf8' });
  return status === 0 && stdout !== '' ? stdout.replace(/[+~-].*/, '') : null;
};

/** Protocols, suites with their order, groups and signatures, key, renegotiation, compression, fallback. */
const SSLSCAN: Peer = {
  name: 'sslscan',
  version: debianVersion('sslscan'),
  oneOf: 1,
  ask: (port) =>
    runWithFile(
      'sslscan',
      (file) => [`--xml=${file}`, '--show-sigs', '--sni-name=site.example', `127.0.0.1:${port}`],
      sslscanFacts,
    ),
};

/** The parts of testssl that tell the same facts, and no others. */
const TESTSSL: Peer = {
  name: 'testssl.sh',
  version: debianVersion('testssl.sh'),
  oneOf: 18,
  ask: (port) =>
    runWithFile(
      'testssl',
      (file) => [
        ...'--quiet --warnings off --color 0 --ip one -p -E -f -S -P -R -C -Z -O -W -F -D -J -A -4 --jsonfile'.split(
          ' ',
        ),
        file,
        `127.0.0.1:${port}`,
      ],
      testsslFacts,
    ),
};

export const PEERS: readonly Peer[] = [SSLSCAN, TESTSSL];

async function runWithFile(
  program: string,
  argsOf: (file: string) => string[],
  read: (text: string) => Set<Fact>,
): Promise<{ facts: Set<Fact>; isStopped: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'tls-peer-'));
  const file = join(folder, 'out');
  try {
    const isStopped = await new Promise<boolean>((resolve, reject) => {
      const child = spawn(program, argsOf(file), { stdio: 'ignore', detached: true });
      let stopped = false;
      // A shell script has children of its own.
      const timer = setTimeout(() => {
        stopped = true;
        process.kill(-child.pid!, 'SIGTERM');
      }, LIMIT_MS);
      child.on('error', reject);
      child.on('exit', () => {
        clearTimeout(timer);
        resolve(stopped);
      });
    });
    return { facts: existsSync(file) ? read(readFileSync(file, 'utf8')) : new Set(), isStopped };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SSLSCAN_VERSIONS: Readonly<Record<string, string>> = { 'ssl 2': 'SSL 2', 'ssl 3': 'SSL 3' };

export function sslscanFacts(xml: string): Set<Fact> {
  const facts = new Set<Fact>();
  for (const { name, attributes } of elementsOf(xml)) {
    const is = (attribute: string): boolean => attributes[attribute] === '1';
    const version = (attributes.sslversion ?? '').replace(/^(SSL|TLS)v/, '$1 ');
    if (name === 'protocol' && is('enabled'))
      facts.add(
        `protocol ${SSLSCAN_VERSIONS[`${attributes.type} ${attributes.version}`] ?? `TLS ${attributes.version}`}`,
      );
    else if (name === 'cipher') facts.add(suiteFact(version, Number(attributes.id)));
    else if (name === 'group') facts.add(`group ${groupName(attributes.name!.split(' ')[0]!)}`);
    else if (name === 'connection-signature-algorithm') facts.add(`signature ${attributes.name}`);
    else if (name === 'pk')
      facts.add(
        attributes.type === 'RSA' ? `key rsa ${attributes.bits}` : `key ec ${curveBits(attributes.curve_name!)}`,
      );
    else if (name === 'renegotiation' && is('secure')) facts.add('feature secure renegotiation');
    else if (name === 'compression' && is('supported')) facts.add('feature compression').add('attack CRIME');
    else if (name === 'fallback' && is('supported')) facts.add('feature fallback SCSV');
  }
  return facts;
}

function* elementsOf(xml: string): Generator<{ name: string; attributes: Record<string, string> }> {
  for (const [, name, text] of xml.matchAll(/<([a-z-]+)((?: [a-z_]+="[^"]*")+) ?\/?>/g)) {
    const attributes = [...text!.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]);
    yield { name: name!, attributes: Object.fromEntries(attributes) };
  }
}

const TESTSSL_VERSIONS: Readonly<Record<string, string>> = {
  SSLv2: 'SSL 2',
  SSLv3: 'SSL 3',
  TLS1: 'TLS 1.0',
  TLS1_1: 'TLS 1.1',
  TLS1_2: 'TLS 1.2',
  TLS1_3: 'TLS 1.3',
};
const TESTSSL_SUITES: Readonly<Record<string, string>> = {
  ssl2: 'SSL 2',
  sslv2: 'SSL 2',
  ssl3: 'SSL 3',
  sslv3: 'SSL 3',
  tls1: 'TLS 1.0',
  tls1_1: 'TLS 1.1',
  tls1_2: 'TLS 1.2',
  tls1_3: 'TLS 1.3',
};
const TESTSSL_ATTACKS: Readonly<Record<string, string>> = {
  DROWN: 'DROWN',
  POODLE_SSL: 'POODLE',
  BEAST: 'BEAST',
  SWEET32: 'SWEET32',
  FREAK: 'FREAK',
  LOGJAM: 'Logjam',
  'LOGJAM-common_primes': 'Logjam',
  RC4: 'RC4',
  CRIME_TLS: 'CRIME',
};
const TESTSSL_FEATURES: Readonly<Record<string, readonly [string, RegExp]>> = {
  cipher_order: ['server order', /^server/],
  secure_renego: ['secure renegotiation', /^(OK|supported)/i],
  secure_client_renego: ['client renegotiation', /^VULNERABLE/],
  fallback_SCSV: ['fallback SCSV', /^supported/],
  sessionresumption_ticket: ['session tickets', /^supported/],
  sessionresumption_ID: ['session ids', /^supported/],
};

/** Also of a file that ends too early. */
export function testsslFacts(json: string): Set<Fact> {
  const facts = new Set<Fact>();
  for (const [, fullId, finding] of json.matchAll(/"id"\s*:\s*"([^"]+)"[^}]*?"finding"\s*:\s*"([^"]*)"/g)) {
    const id = fullId!.replace(/ <.*/, '');
    const cipher = /^cipher[-_]([a-z0-9_]+?)_x([0-9a-f]+)$/i.exec(id);
    const suiteVersion = TESTSSL_SUITES[cipher?.[1] ?? ''];
    const feature = TESTSSL_FEATURES[id];
    const attack = TESTSSL_ATTACKS[id];
    if (id in TESTSSL_VERSIONS && /^(offered|supported|vulnerable)/i.test(finding!))
      facts.add(`protocol ${TESTSSL_VERSIONS[id]}`);
    else if (suiteVersion !== undefined) facts.add(suiteFact(suiteVersion, Number.parseInt(cipher![2]!, 16)));
    else if (id === 'PFS_ECDHE_curves') for (const name of finding!.split(' ')) facts.add(`group ${groupName(name)}`);
    else if (id === 'DH_groups') for (const name of finding!.match(/ffdhe\d+/g) ?? []) facts.add(`group ${name}`);
    else if (id === 'cert_keySize') {
      const [, type, bits] = /^(RSA|EC) (\d+)/.exec(finding!) ?? [];
      if (type !== undefined) facts.add(`key ${type.toLowerCase()} ${bits}`);
    } else if (feature !== undefined && feature[1].test(finding!)) facts.add(`feature ${feature[0]}`);
    else if (id === 'OCSP_stapling' && finding!.startsWith('offered')) facts.add('feature OCSP staple');
    else if (id === 'TLS_extensions' && finding!.includes('heartbeat')) facts.add('feature heartbeat');
    if (attack !== undefined && /^(VULNERABLE|potentially VULNERABLE)/i.test(finding!)) {
      facts.add(`attack ${attack}`);
      if (attack === 'CRIME') facts.add('feature compression');
    }
  }
  return facts;
}

function groupName(name: string): string {
  return name === 'prime256v1' ? 'secp256r1' : name.replace(/^X(25519|448)$/, 'x$1');
}

function curveBits(curve: string): string {
  return /\d{3}/.exec(curve)?.[0] ?? curve;
}
