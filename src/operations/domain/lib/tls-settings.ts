import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { judgeAttacks } from '../../../analysis/tls/attacks.ts';
import type { DhPrime } from '../../../analysis/tls/dh-primes.ts';
import type { GradeCap } from '../../../analysis/tls/grade-caps.ts';
import { opensslSuiteName } from '../../../analysis/tls/openssl-suite-name.ts';
import {
  hasForwardSecrecy,
  keyExchangeOf,
  SUITE_STRENGTHS,
  suiteKeyBits,
  suiteStrength,
} from '../../../analysis/tls/suite-properties.ts';
import { suggestTlsSettings } from '../../../analysis/tls/tls-fix.ts';
import { certificationPath, type TakenSuite, type TlsFacts } from '../../../analysis/tls/tls-facts.ts';
import { tlsVersionLabel } from '../../../analysis/tls/version-label.ts';
import { CertificateRow, presentCertificate } from './certificate-row.ts';

const CipherSuite = z.object({
  name: z.string().meta({ description: 'IANA.' }),
  openssl_name: z.string(),
  code: z.string(),
  protocols: z.array(z.string()),
  bits: z.number().int().nullable(),
  strength: z.enum(SUITE_STRENGTHS),
  key_exchange: z.string(),
  forward_secrecy: z.boolean(),
});

const orUnknown = z.boolean().nullable();

export const tlsSettingFields = {
  cipher_suites: z.array(CipherSuite).meta({
    description: 'Accepted suites, newest protocol first, in the order of the server where server_preference is true.',
  }),
  server_preference: orUnknown,
  groups: z.array(z.string()).nullable(),
  post_quantum: z
    .object({ supported: orUnknown, groups: z.array(z.string()).nullable() })
    .meta({ description: 'Key exchange that holds against a quantum computer, such as X25519MLKEM768.' }),
  dh_groups: z.array(z.object({ bits: z.number().int(), known: z.string().nullable() })),
  signature_algorithms: z.array(z.string()).nullable(),
  alpn: z.array(z.string()).nullable(),
  resumption: z.object({ session_ids: orUnknown, tickets: orUnknown, psk: orUnknown }),
  renegotiation: z.object({ secure: orUnknown, client_initiated: orUnknown }),
  compression: orUnknown,
  fallback_scsv: orUnknown.meta({ description: 'null also where it takes one version alone.' }),
  heartbeat: orUnknown,
  extended_master_secret: orUnknown,
  encrypt_then_mac: orUnknown,
  trust_stores: z.object({ mozilla: z.boolean(), system: orUnknown }),
  other_certificates: z
    .array(CertificateRow)
    .meta({ description: 'For the same name with other suites, such as RSA beside ECDSA.' }),
  ocsp: z.object({
    url: ForeignText.nullable(),
    stapled: z.boolean(),
    status: z.enum(['good', 'revoked', 'unknown', 'unreadable']).nullable(),
    this_update: z.string().nullable(),
    next_update: z.string().nullable(),
    signature_valid: orUnknown,
  }),
  sct: z.object({
    verified: orUnknown.meta({ description: 'Always null: the keys of the logs are not known here.' }),
    timestamps: z.array(
      z.object({ from: z.enum(['certificate', 'tls', 'ocsp']), log_id: z.string(), logged_at: z.string() }),
    ),
  }),
  attacks: z
    .array(z.object({ name: z.string(), cve_id: z.string().nullable(), vulnerable: orUnknown, reason: z.string() }))
    .meta({ description: 'By settings alone, without attacking; vulnerable null: not known or not tested.' }),
  fixes: z.array(z.object({ server: z.string(), lines: z.string() })).meta({ description: 'Lines to paste.' }),
  connections: z.number().int().meta({ description: 'Made to the server; at most 60.' }),
};

export const TlsSettings = z.object(tlsSettingFields);
export type TlsSettings = z.output<typeof TlsSettings>;

/** The settings of a server as fields of an answer. */
export function toTlsSettings(facts: TlsFacts, caps: readonly Pick<GradeCap, 'id'>[]): TlsSettings {
  const { configuration, staple, scts } = facts;
  const resumption = configuration?.resumption;
  const postQuantum = configuration?.postQuantumGroups ?? null;
  return {
    cipher_suites: presentSuites(facts.suites),
    server_preference: configuration?.serverPreference ?? null,
    groups: configuration?.groups === undefined ? null : copyOf(configuration.groups),
    post_quantum: {
      supported: postQuantum === null ? null : postQuantum.length > 0,
      groups: copyOf(postQuantum),
    },
    dh_groups: distinctPrimes(facts.suites),
    signature_algorithms: copyOf(configuration?.signatureSchemes ?? null),
    alpn: copyOf(configuration?.alpn ?? null),
    resumption: {
      session_ids: resumption?.sessionIds ?? null,
      tickets: resumption?.tickets ?? null,
      psk: resumption?.psk ?? null,
    },
    renegotiation: {
      secure: configuration?.renegotiation.secure ?? null,
      client_initiated: configuration?.renegotiation.clientInitiated ?? null,
    },
    compression: configuration?.compression ?? null,
    fallback_scsv: configuration?.fallbackScsv ?? null,
    heartbeat: configuration?.heartbeat ?? null,
    extended_master_secret: configuration?.extendedMasterSecret ?? null,
    encrypt_then_mac: configuration?.encryptThenMac ?? null,
    trust_stores: facts.trustStores,
    other_certificates: facts.otherCertificates.map(presentCertificate),
    ocsp: {
      url: certificationPath(facts)[0]?.ocspUrl ?? null,
      stapled: staple !== null,
      status: staple?.status ?? null,
      this_update: staple?.thisUpdate ?? null,
      next_update: staple?.nextUpdate ?? null,
      signature_valid: staple?.signatureValid ?? null,
    },
    sct: {
      verified: null,
      timestamps: scts.map(({ from, logId, loggedAt }) => ({ from, log_id: logId, logged_at: loggedAt })),
    },
    attacks: (judgeAttacks(facts) ?? []).map(({ name, cveId, vulnerable, reason }) => ({
      name,
      cve_id: cveId,
      vulnerable,
      reason,
    })),
    fixes: suggestTlsSettings(caps),
    connections: facts.connections,
  };
}

function copyOf(list: readonly string[] | null): string[] | null {
  return list === null ? null : [...list];
}

/** One row for a suite, with all versions that have it; in the order of the newest version that does. */
function presentSuites(suites: readonly TakenSuite[]): z.output<typeof CipherSuite>[] {
  return [...Map.groupBy(suites, ({ name }) => name)].map(([name, taken]) => ({
    name,
    openssl_name: opensslSuiteName(name),
    code: `0x${taken[0]!.code
      .toString(16)
      .toUpperCase()
      .padStart(taken[0]!.version === 'SSLv2' ? 6 : 4, '0')}`,
    protocols: taken.map(({ version }) => tlsVersionLabel(version)),
    bits: suiteKeyBits(name),
    strength: suiteStrength(name),
    key_exchange: keyExchangeOf(name),
    forward_secrecy: hasForwardSecrecy(name),
  }));
}

/** The groups of DHE suites, the smallest first. */
function distinctPrimes(suites: readonly TakenSuite[]): DhPrime[] {
  const byText = new Map(
    suites.flatMap(({ dhPrime }) => (dhPrime === null ? [] : [[`${dhPrime.bits} ${dhPrime.known}`, dhPrime] as const])),
  );
  return [...byText.values()].toSorted((a, b) => a.bits - b.bits);
}
