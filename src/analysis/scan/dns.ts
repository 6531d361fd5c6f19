import type { DmarcFacts } from '../email/dmarc/look-up-dmarc.ts';
import { displayLine } from '../display-text.ts';
import { findTakeoverService } from '../dns/takeover-services.ts';
import { createScanFinding } from './scan-findings.ts';
import type { ModuleResult } from './modules.ts';

/** What the DNS says about a site's name; null: it did not answer. */
export interface SiteDnsFacts {
  /** CAA records (RFC 8659) of the name, or of the nearest above that has some. */
  caa: readonly { tag: string; value: string }[] | null;
  /** Of the registered domain; none: it is no zone of its own. */
  nameServers: readonly string[] | null;
  ipv6: boolean | null;
  /** What the name is an alias of, where that does not exist. */
  dangling: string | null;
  /** SPF records of the registered domain. */
  spf: readonly string[] | null;
  dmarc: Pick<DmarcFacts, 'present' | 'effectivePolicy' | 'foundAt' | 'multipleAt'>;
}

type ModuleFindings = ModuleResult['findings'];

const MAX_VALUE_LENGTH = 200;

/** Null: none of the queries was answered. */
export function dnsModule(facts: SiteDnsFacts): ModuleResult | null {
  const { caa, nameServers, dangling, spf, dmarc } = facts;
  if (caa === null && nameServers === null && spf === null && dmarc.present === null) return null;
  const findings: ModuleFindings = [
    ...(dangling === null ? [] : [createScanFinding('dns_dangling_alias', describeDangling(dangling))]),
    ...(spf === null ? [] : spfFindings(spf)),
    ...dmarcFindings(dmarc),
    // Records without an `issue` tag, an address for reports alone, keep no authority from issuing (RFC 8659, 4.2).
    ...(caa !== null && !caa.some(({ tag }) => tag.toLowerCase() === 'issue')
      ? [createScanFinding('dns_caa_missing')]
      : []),
    ...(nameServers?.length === 1 ? [createScanFinding('dns_one_name_server', nameServers[0] ?? null)] : []),
  ];
  return { details: detailsOf(facts), findings };
}

/** The alias, and the service where the name can be claimed. */
function describeDangling(alias: string): string {
  const found = findTakeoverService(alias);
  return found === null ? alias : `${alias} (${found.service})`;
}

function spfFindings(records: readonly string[]): ModuleFindings {
  const [record, ...more] = records;
  if (record === undefined) return [createScanFinding('dns_spf_missing')];
  if (more.length > 0) return [createScanFinding('dns_spf_several', records.join(' | '))];
  return /(^|\s)\+?all(\s|$)/i.test(record) ? [createScanFinding('dns_spf_anybody', record)] : [];
}

function dmarcFindings({ present, effectivePolicy, foundAt, multipleAt }: SiteDnsFacts['dmarc']): ModuleFindings {
  if (multipleAt !== null && present === false) return [createScanFinding('dns_dmarc_several', multipleAt)];
  if (present === false) return [createScanFinding('dns_dmarc_missing')];
  return effectivePolicy === 'none' ? [createScanFinding('dns_dmarc_none', `The record of ${foundAt}.`)] : [];
}

function detailsOf({ caa, nameServers, ipv6, spf, dmarc }: SiteDnsFacts): string[] {
  const unknown = 'not found out';
  const issuers = caa?.filter(({ tag }) => tag.toLowerCase() === 'issue').map(({ value }) => value || 'nobody');
  const values = {
    'Name servers':
      nameServers === null
        ? unknown
        : nameServers.length === 0
          ? 'those of the zone above'
          : String(nameServers.length),
    CAA: issuers === undefined ? unknown : displayLine(issuers.join(', '), MAX_VALUE_LENGTH) || 'none',
    IPv6: ipv6 === null ? unknown : ipv6 ? 'yes' : 'no',
    SPF: spf === null ? unknown : displayLine(spf[0] ?? 'none', MAX_VALUE_LENGTH),
    DMARC: dmarc.present === null ? unknown : (dmarc.effectivePolicy ?? 'none'),
  };
  return Object.entries(values).map(([name, value]) => `${name}: ${value}.`);
}
