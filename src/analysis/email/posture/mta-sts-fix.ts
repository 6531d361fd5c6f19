import type { FixGuide } from '../../fix-guide.ts';
import { normalizeDnsName } from '../../domain-name.ts';
import type { MailFacts } from './mail-facts.ts';

/** A day: what is wrong in a first policy is forgotten soon. */
const FIRST_MAX_AGE_SECONDS = 86_400;
const USUAL_MAX_AGE_SECONDS = 604_800;
const HOST_PATTERN = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;
const MAX_HOSTS = 20;

type PolicyFix = Pick<FixGuide, 'file' | 'caution' | 'needed'>;

/** Where senders fetch the policy (RFC 8461, section 3.3). */
export function mtaStsPolicyUrl(domain: string): string {
  return `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
}

/** A first policy in mode testing: senders report what would fail, and deliver (RFC 8461, section 5). */
export function firstMtaStsPolicy(facts: MailFacts, domain: string): PolicyFix {
  return {
    file: policyFile(domain, 'testing', mailHosts(facts), FIRST_MAX_AGE_SECONDS),
    caution:
      'Serve the file first, with a certificate for its name and without a redirect, then publish the record. Stay in mode testing until the TLS reports show no failure; with each change of the file, change the id of the record.',
    needed: `A web server for mta-sts.${domain}: an A, AAAA or CNAME record of that name, and a certificate for it.`,
  };
}

/** The problem of a policy that is served with another content type (RFC 8461, section 3.2). */
export const WRONG_TYPE = 'is not sent as text/plain';

/** A policy that senders cannot use: only what is missing is asked for. */
export function repairMtaStsPolicy(facts: MailFacts, domain: string): PolicyFix {
  const first = firstMtaStsPolicy(facts, domain);
  const problem = facts.mtaSts?.policyProblem ?? '';
  if (problem === WRONG_TYPE)
    return {
      file: null,
      caution:
        'The web server is there and sends the file: let it send "Content-Type: text/plain" with it, and change the id of the record, so that senders fetch it again.',
      needed: null,
    };
  const isUnserved = /^(?:has no host|is not served:|is at an address)/.test(problem);
  const certificate = /certificate/.test(problem) ? `A valid certificate for mta-sts.${domain}.` : null;
  return {
    ...first,
    caution:
      'Serve the file at that address itself, without a redirect, and as text/plain; then change the id of the record. Stay in mode testing until the TLS reports show no failure.',
    needed: isUnserved ? first.needed : certificate,
  };
}

/** The policy as it is, with all mail servers named: more is allowed than before. */
export function completeMtaStsPolicy(facts: MailFacts, domain: string): PolicyFix {
  const policy = facts.mtaSts?.policy ?? null;
  const hosts = [...(policy?.mx ?? []), ...(facts.mtaSts?.uncovered ?? [])];
  return {
    file: policy === null ? null : policyFile(domain, policy.mode, hosts, policy.maxAge),
    caution: 'Replace the file first, then change the id of the record, so that senders fetch it again.',
    needed: null,
  };
}

/** The policy as it is, to be kept by senders for a week. */
export function longerMtaStsPolicy(facts: MailFacts, domain: string): PolicyFix {
  const policy = facts.mtaSts?.policy ?? null;
  const isComplete = facts.mtaSts?.uncovered.length === 0;
  return {
    file: policy === null || !isComplete ? null : policyFile(domain, policy.mode, policy.mx, USUAL_MAX_AGE_SECONDS),
    caution:
      'Senders then keep the policy for a week: before a mail server is added or changed, name it in the policy. Change the id of the record with the file.',
    needed: null,
  };
}

/** The way from mode testing to enforce is a decision by reports, so there is no text to paste. */
export function enforceMtaSts(): PolicyFix {
  return {
    file: null,
    caution:
      'Only once the TLS reports show no failure for some weeks: in mode enforce, senders do not deliver to a mail server without a valid certificate for its name, or that the policy does not name. Then change the mode in the file, and the id of the record.',
    needed: null,
  };
}

/** Null where a name of a mail server is no host name, or there are too many to be sure of all. */
function policyFile(domain: string, mode: string, hosts: readonly string[], maxAge: number): FixGuide['file'] {
  const names = [...new Set(hosts.map(normalizeDnsName))];
  if (names.length === 0 || names.length > MAX_HOSTS || !names.every((name) => HOST_PATTERN.test(name))) return null;
  const lines = ['version: STSv1', `mode: ${mode}`, ...names.map((name) => `mx: ${name}`), `max_age: ${maxAge}`];
  return { url: mtaStsPolicyUrl(domain), content: `${lines.join('\n')}\n` };
}

function mailHosts({ mx }: MailFacts): string[] {
  return (mx ?? []).toSorted((a, b) => a.preference - b.preference).map(({ exchange }) => exchange);
}
