import type { FixGuide } from '../../fix-guide.ts';
import { findMailProvider } from '../mail-providers.ts';
import { repairSpfRecord } from '../spf/repair-spf-record.ts';
import { DMARC_RULES } from './dmarc-rules.ts';
import { nextDmarcStep, REPORT_MAILBOX } from './dmarc-step.ts';
import type { MailFacts } from './mail-facts.ts';
import {
  completeMtaStsPolicy,
  enforceMtaSts,
  firstMtaStsPolicy,
  longerMtaStsPolicy,
  repairMtaStsPolicy,
} from './mta-sts-fix.ts';
import type { PostureCheck } from './posture-rule.ts';
import { suggestMailRecord } from './suggest-record.ts';
import { testingSelector, verifyMailFix } from './verify-mail-fix.ts';

/** What a check protects from. */
const WHY: Readonly<Record<PostureCheck, string>> = {
  mx: 'MX records say which servers take mail for the domain, or that none does.',
  spf: 'SPF lists who may send mail for the domain. Without a usable list receivers cannot tell a forged sender from a real one, and real mail is more often taken for spam.',
  dmarc:
    'DMARC tells receivers what to do with mail that shows the domain as its sender and is not from it, and has them report who sends in its name. Without it, forged invoices and password mails look real.',
  dkim: 'DKIM signs mail, so that receivers can see that it is from the domain and was not changed. It outlasts forwarding, which SPF does not; DMARC needs one of the two.',
  mta_sts:
    'Mail servers send without encryption if somebody on the network path asks them to. MTA-STS has senders insist on TLS and a valid certificate, so that mail to the domain cannot be read or diverted on the way.',
  tls_rpt:
    'With TLS-RPT senders report each day where encryption to the mail servers failed. Without it, an expired certificate or an attack goes unnoticed.',
  starttls:
    'With STARTTLS mail servers encrypt the mail between them. Without it, anybody on the network path can read the mail.',
  dane: 'TLSA records, signed with DNSSEC, say which certificate a mail server has, so that senders insist on encryption and nobody can take its place. One that does not match keeps mail out.',
  bimi: 'BIMI has mailbox providers show a logo beside mail of the domain; only mail that DMARC protects gets one.',
};

type Part = Partial<Pick<FixGuide, 'file' | 'caution' | 'needed' | 'records'>>;

const SPF_SENDERS =
  'Written from what the DNS shows, which is not all that sends: add each service that sends for the domain (newsletters, invoices, help desk) as its documentation says, and keep to 10 lookups.';
const MERGE_SPF = 'Keep every sender that one of the records names, and only one "v=spf1" and one "all".';

/** What is special about a finding; the record of it is from `suggestMailRecord`. */
const SPECIAL: Readonly<Record<string, (facts: MailFacts, domain: string) => Part>> = {
  spf_missing: (facts) =>
    facts.mx?.every(({ exchange }) => exchange === '') === true
      ? { caution: 'Only if nothing sends mail for the domain: with "-all" alone, receivers refuse all of it.' }
      : { caution: SPF_SENDERS },
  spf_multiple_records: () => ({ caution: MERGE_SPF }),
  spf_syntax: ({ spf: { records } }) =>
    records.length === 1 && repairSpfRecord(records[0]!) !== null
      ? {
          caution:
            'Only the spelling changes, but receivers have passed over the record so far and go by its end from now on: it has to name all that sends for the domain.',
        }
      : {},
  spf_pass_all: () => ({ caution: SPF_SENDERS }),
  spf_neutral_all: () => ({ caution: SPF_SENDERS }),
  spf_no_all: () => ({ caution: SPF_SENDERS }),
  spf_softfail: () => ({
    caution:
      'Only once the DMARC reports show that every sender is named: with "-all" receivers may refuse mail of those that are not.',
  }),
  spf_unreached_terms: () => ({
    caution:
      'Only what still sends: the terms have been without effect so far, and leave out those of services no longer used.',
  }),
  dkim_not_confirmed: signing,
  dkim_key_broken_strength: newKey,
  dkim_key_short: newKey,
  dkim_sha1: newKey,
  dkim_testing: ({ dkim }, domain) => ({
    caution: 'Only once receivers report (DMARC, rua) that signatures of this key pass.',
    needed: `The record at ${testingSelector(dkim)}._domainkey.${domain}, as it is and without "t=y". If it is a CNAME, the mail provider changes it.`,
  }),
  dkim_unreadable_key: newKey,
  mta_sts_missing: firstMtaStsPolicy,
  mta_sts_no_policy: repairMtaStsPolicy,
  mta_sts_not_enforced: (facts, domain) =>
    facts.mtaSts?.policy?.mode === 'none' ? firstMtaStsPolicy(facts, domain) : enforceMtaSts(),
  mta_sts_mx_uncovered: completeMtaStsPolicy,
  mta_sts_mx_uncovered_in_testing: completeMtaStsPolicy,
  mta_sts_short_max_age: longerMtaStsPolicy,
  starttls_missing: mailServer,
  starttls_old_version: mailServer,
  starttls_certificate: mailServer,
  mta_sts_bad_certificate: mailServer,
  dane_mismatch: fittingTlsa,
  dane_unusable: fittingTlsa,
  dane_without_tls: mailServer,
  tls_rpt_missing: () => ({ caution: REPORT_MAILBOX }),
  tls_rpt_no_address: () => ({ caution: REPORT_MAILBOX }),
};

/** How to mend a finding of the mail posture. The texts to paste never tighten what is not known to be safe without a caution. */
export function mailFixGuide(
  { id, check }: { readonly id: string; readonly check: PostureCheck },
  facts: MailFacts,
  domain: string,
): FixGuide {
  const record = suggestMailRecord(id, facts, domain);
  const special = Object.hasOwn(SPECIAL, id) ? SPECIAL[id]!(facts, domain) : {};
  return {
    why: WHY[check],
    records: special.records ?? (record === null ? [] : [{ ...record, replaces: isPublished(check, facts) }]),
    file: special.file ?? null,
    caution: special.caution ?? (check === 'dmarc' && record !== null ? dmarcCaution(facts, domain) : null),
    needed: special.needed ?? null,
    verify: verifyMailFix({ id, check }, { facts, domain, record }),
  };
}

/** Whether a record of the check is there, broken or not. */
function isPublished(check: PostureCheck, { spf, dmarc, mtaSts, tlsRpt }: MailFacts): boolean {
  switch (check) {
    case 'spf':
      return spf.records.length > 0;
    case 'dmarc':
      return dmarc.record !== null || dmarc.malformed !== null || dmarc.multipleAt !== null;
    case 'mta_sts':
      return mtaSts?.present === true;
    case 'tls_rpt':
      return tlsRpt?.present === true;
    default:
      return false;
  }
}

/** Several findings of DMARC have one record: that has to be said, so that nobody publishes it twice. */
function dmarcCaution(facts: MailFacts, domain: string): string | null {
  const step = nextDmarcStep(facts, domain);
  if (step === null) return null;
  const mended = DMARC_RULES.filter(
    (rule) => rule.findProblem(facts) !== null && suggestMailRecord(rule.id, facts, domain) !== null,
  );
  const shared = mended.length > 1 ? `One record for all ${mended.length} DMARC findings. ` : '';
  return `${shared}${step.caution}`;
}

function signing(facts: MailFacts): Part {
  return {
    caution:
      'First look into the source of a mail that you sent: "DKIM-Signature: … s=…" shows the selector, if it is signed already.',
    needed: `The key is made by who sends the mail${providerOf(facts)}: switch DKIM on in its administration. It names the record to publish (<selector>._domainkey, TXT or CNAME) and its value; nobody else can.`,
  };
}

/** The records of the certificates in use: beside the old ones, which may be of one that is about to be used. */
function fittingTlsa({ servers }: MailFacts): Part {
  const records = (servers ?? []).flatMap(({ host, dane }) =>
    dane === null || dane.fitting === null || dane.matches === true || dane.records.length === 0
      ? []
      : [{ name: `_25._tcp.${host}`, type: 'TLSA' as const, value: dane.fitting, replaces: false }],
  );
  return {
    records,
    caution:
      'Only if the mail server is yours and the certificate that it shows is the right one. Remove the record that does not match when the new one has spread.',
    needed: records.length === 0 ? 'Who runs the mail server publishes its TLSA records.' : null,
  };
}

function mailServer(facts: MailFacts): Part {
  return { needed: `Who runs the mail servers makes the change${providerOf(facts)}.` };
}

function newKey(facts: MailFacts): Part {
  return {
    caution:
      'Publish the new key under another selector, have mail signed with it, and remove the old record a week later: mail that is under way is still checked with the old one.',
    needed: `The new key (RSA of 2048 bits) is made by who sends the mail${providerOf(facts)}; it names the record and its value.`,
  };
}

function providerOf({ mx }: MailFacts): string {
  const provider = findMailProvider((mx ?? []).map(({ exchange }) => exchange));
  return provider === null ? '' : ` (the MX records name ${provider})`;
}
