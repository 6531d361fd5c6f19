import { publicSuffix, registrableDomain, nameAndParents, siteOfHost } from '../../domain-name.ts';
import { isQueryableName, type MailDns } from '../mail-dns.ts';
import {
  type DmarcPolicy,
  type DmarcRecord,
  isDmarcRecord,
  isMalformedDmarcRecord,
  mailtoDomain,
  parseDmarcRecord,
} from './dmarc-record.ts';

/** The DMARC record that applies to a domain, and where it was found. */
export interface DmarcFacts {
  /** Null: unknown, because the DNS did not answer. */
  present: boolean | null;
  record: DmarcRecord | null;
  /** Domain whose `_dmarc` name has the record. */
  foundAt: string | null;
  /** `rfc9989`: by the tree walk; `rfc7489`: by the public suffix list, because a query of the walk failed. */
  method: 'rfc9989' | 'rfc7489';
  organizationalDomain: string | null;
  /** The policy for this domain: `p` of its own record, or `sp` of the record of a domain above; `np` if it does not exist. */
  effectivePolicy: DmarcPolicy | null;
  /** Domain with several records, which all count as absent. */
  multipleAt: string | null;
  /** A text that is intended as a record, but that receivers ignore. */
  malformed: { at: string; text: string } | null;
  /** Receivers that follow RFC 7489 find this record too. */
  seenByRfc7489: boolean;
  /** Other organisations that reports go to, and whether they agree; null: the DNS did not answer. */
  externalReports: readonly { target: string; authorized: boolean | null }[];
}

const MAX_LABELS = 8;
const MAX_REPORT_TARGETS = 10;

interface WalkStep {
  domain: string;
  /** Null: the DNS did not answer. */
  records: readonly string[] | null;
  malformed: string | null;
}

/**
 * Finds the record (RFC 9989, section 4.10), and checks that other organisations accept its reports (RFC 9990, section 4). `exists`:
 * the domain exists in the DNS; else the policy for absent subdomains applies (section 4.7, `np`).
 */
export async function lookUpDmarc(domain: string, dns: MailDns, { exists = true } = {}): Promise<DmarcFacts> {
  const found = decidePolicy(domain, await walkTree(domain, dns), exists);
  if (found.record === null || found.foundAt === null) return { ...found, externalReports: [] };
  return { ...found, externalReports: await checkExternalReports(found.record, found.foundAt, dns) };
}

/**
 * Domains that are queried, from the name upwards: for a name with more than eight labels the walk continues at seven labels
 * (section 4.10, steps 3 and 4).
 */
export function treeWalkNames(domain: string): string[] {
  const [topLevelDomain] = domain.split('.').slice(-1);
  const parents = [...nameAndParents(domain).slice(1), topLevelDomain!].slice(1 - MAX_LABELS);
  return domain.includes('.') ? [domain, ...parents] : [domain];
}

/** All names are queried at once: answers of the upper ones are rarely needed, but sequential queries take longer. */
async function walkTree(domain: string, dns: MailDns): Promise<WalkStep[]> {
  const steps = await Promise.all(
    treeWalkNames(domain).map(async (name): Promise<WalkStep> => {
      const texts = isQueryableName(`_dmarc.${name}`) ? await dns.txt(`_dmarc.${name}`) : [];
      return {
        domain: name,
        records: texts?.filter(isDmarcRecord) ?? null,
        malformed: texts?.find(isMalformedDmarcRecord) ?? null,
      };
    }),
  );
  const last = steps.findIndex(({ records }) => records?.length === 1 && parseDmarcRecord(records[0]!).psd !== 'u');
  return last === -1 ? steps : steps.slice(0, last + 1);
}

function decidePolicy(
  domain: string,
  steps: readonly WalkStep[],
  exists: boolean,
): Omit<DmarcFacts, 'externalReports'> {
  const legacy = siteOfHost(domain);
  const own = steps[0]!;
  const failed = steps.some(({ records }) => records === null);
  // RFC 7489 queries the name itself, and the domain below its public suffix.
  const legacySteps = steps.filter((step) => step.domain === domain || step.domain === legacy);
  const organizational = failed ? legacy : organizationalDomain(domain, steps);
  const candidates = failed ? legacySteps : [own, ...organizationalSteps(organizational, steps)];
  const usable = candidates.find(({ records }) => records?.length === 1);
  const undecided = candidates.slice(0, usable === undefined ? undefined : candidates.indexOf(usable));
  const known = undecided.every(({ records }) => records !== null);
  const record = known && usable !== undefined ? parseDmarcRecord(usable.records![0]!) : null;
  const malformed = candidates.find((step) => step.malformed !== null);
  const applies = record !== null && record.policy !== null;
  return {
    present: known ? record !== null : null,
    record,
    foundAt: record === null ? null : usable!.domain,
    method: failed && own.records?.length !== 1 ? 'rfc7489' : 'rfc9989',
    organizationalDomain: organizational,
    effectivePolicy: applies
      ? usable!.domain === domain
        ? record.policy
        : exists
          ? record.subdomainPolicy
          : record.absentPolicy
      : null,
    multipleAt: candidates.find(({ records }) => records !== null && records.length > 1)?.domain ?? null,
    malformed: malformed === undefined ? null : { at: malformed.domain, text: malformed.malformed! },
    seenByRfc7489: usable !== undefined && legacySteps.includes(usable),
  };
}

/** Section 4.10.2: a `psd=n`; one label below a `psd=y` above; else the record nearest the root; without any, the name itself. */
function organizationalDomain(domain: string, steps: readonly WalkStep[]): string {
  const single = steps.filter(({ records }) => records?.length === 1);
  const last = single.at(-1);
  if (last === undefined) return domain;
  const { psd } = parseDmarcRecord(last.records![0]!);
  if (psd !== 'y' || last.domain === domain) return last.domain;
  const labels = domain.split('.');
  return labels.slice(-(last.domain.split('.').length + 1)).join('.');
}

/** The steps of the organisational domain and of the public suffix above it. */
function organizationalSteps(organizational: string, steps: readonly WalkStep[]): WalkStep[] {
  const parent = organizational.slice(organizational.indexOf('.') + 1);
  return [organizational, parent].flatMap((name) => steps.filter((step) => step.domain === name));
}

async function checkExternalReports(
  record: DmarcRecord,
  policyDomain: string,
  dns: MailDns,
): Promise<{ target: string; authorized: boolean | null }[]> {
  const targets = new Set([...record.ruaUris, ...record.rufUris].map(mailtoDomain).filter((target) => target !== null));
  const external = [...targets].filter((target) => organizationDomain(target) !== organizationDomain(policyDomain));
  return Promise.all(
    external.slice(0, MAX_REPORT_TARGETS).map(async (target) => {
      const name = `${policyDomain}._report._dmarc.${target}`;
      const texts = isQueryableName(name) ? await dns.txt(name) : [];
      return { target, authorized: texts?.some(isDmarcRecord) ?? null };
    }),
  );
}

function organizationDomain(name: string): string {
  return registrableDomain(name) ?? publicSuffix(name) ?? name;
}
