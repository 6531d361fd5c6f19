import type { z } from 'zod';
import { type DomainFinding, mailVerdict, type PartVerdict } from '../../analysis/domain-verdict.ts';
import { titleOfDescription } from '../../analysis/finding.ts';
import { capitalize, describeScore } from '../../engine/summary.ts';
import type { emailSecurityPosture } from '../../operations/email/email-security-posture.ts';
import { html, type Html, type HtmlValue } from '../html.ts';
import { gradeBadge } from '../parts/severity.ts';
import { known } from '../parts/states.ts';
import { withFindingLinks } from './finding.ts';

export type MailAnswer = z.output<(typeof emailSecurityPosture)['output']>;

const DKIM_TEXTS: Readonly<Record<MailAnswer['dkim']['status'], string>> = {
  verified: 'keys found',
  unknown: 'not known: no key under the usual selectors, which cannot be listed',
  unavailable: 'not known: the DNS did not answer',
  not_tested: 'not tested',
};

/** Whether mail in its name can be forged. */
export function judgeMail({ dmarc }: MailAnswer): PartVerdict {
  return mailVerdict(dmarc);
}

/** Findings of the mail posture that ask for a change. */
export function mailFindings({ all_findings, spf, dmarc }: MailAnswer): DomainFinding[] {
  return all_findings
    .filter(({ how_to_fix }) => how_to_fix !== null)
    .map(({ id, check, severity, description, fix_hint, how_to_fix }): DomainFinding => {
      const [, ...why] = description.split(': ');
      return {
        id: `mail.${id}`,
        part: 'mail',
        severity,
        exploited: false,
        cves: [],
        title: titleOfDescription(description),
        why: why.length === 0 ? null : whyText(why.join(': ')),
        fix: fix_hint,
        paste: null,
        guide: how_to_fix,
        evidence: check === 'spf' ? spf.record : check === 'dmarc' ? dmarc.record : null,
        reference: null,
      };
    });
}

/** A sentence begins with a capital letter; a list of selectors or names stays as it is. */
function whyText(text: string): string {
  return /^[a-z]+ [a-z]/.test(text) ? capitalize(text) : text;
}

/** How mail in the name of the domain is protected. */
export function drawMail(answer: MailAnswer): Html {
  const { spf, dmarc, dkim, mta_sts, tls_rpt, bimi, dane, posture_grade, posture_score } = answer;
  const verdict = judgeMail(answer);
  return html`<h2>Mail: ${verdict.text}</h2>
<p>${gradeBadge(posture_grade)} ${posture_score === null ? 'No score: SPF or DMARC could not be read.' : `${describeScore(posture_score, 'higher')}: how well mail is protected.`}</p>
${withFindingLinks(
  html`<dl class="facts">
<dt>SPF</dt><dd>${record(spf.present, spf.record)}${spf.lookup_count !== null && html` <span class="note">${spf.lookup_count} of 10 lookups</span>`}</dd>
<dt>DMARC</dt><dd>${record(dmarc.present, dmarc.record)}${dmarc.found_at !== null && dmarc.found_at !== answer.domain && html` <span class="note">found at ${dmarc.found_at}</span>`}</dd>
<dt>DKIM</dt><dd>${DKIM_TEXTS[dkim.status]}${dkim.keys.length > 0 && html`: ${dkim.keys.map((key, at) => html`${at > 0 && ', '}<code>${key.selector}</code> ${keyText(key)}`)}`}</dd>
<dt>MTA-STS</dt><dd>${mta_sts === null ? unanswered() : mta_sts.present ? known(mta_sts.mode === null ? null : `mode ${mta_sts.mode}`, 'its policy could not be read') : 'none'}</dd>
<dt>TLS-RPT</dt><dd>${tls_rpt === null ? unanswered() : record(tls_rpt.present, tls_rpt.record)}</dd>
<dt>BIMI</dt><dd>${bimi === null ? unanswered() : record(bimi.present, bimi.record)}</dd>
<dt>DANE</dt><dd>${dane === null ? unanswered() : daneText(dane)}</dd>
<dt>Mail servers</dt><dd>${serversText(answer.mail_servers)}</dd>
<dt>May send</dt><dd>${sendersText(spf)}</dd>
</dl>`,
  mailFindings(answer),
)}`;
}

function record(present: boolean | null, text: string | null): HtmlValue {
  if (present === null) return unanswered();
  return text === null ? 'none' : html`<code>${text}</code>`;
}

function unanswered(): HtmlValue {
  return known(null, 'the DNS did not answer');
}

function keyText({ key_type, bits, revoked, testing }: MailAnswer['dkim']['keys'][number]): string {
  return [
    key_type,
    bits === null || key_type === 'ed25519' ? null : `${bits} bits`,
    revoked && 'withdrawn',
    testing && 'test mode',
  ]
    .filter(Boolean)
    .join(' ');
}

function serversText(servers: MailAnswer['mail_servers']): HtmlValue {
  if (servers === null) return unanswered();
  if (servers.length === 0) return 'none';
  const state = ({ starttls, tls_version }: (typeof servers)[number]): string =>
    starttls === null
      ? 'not reached on port 25'
      : starttls
        ? `STARTTLS, ${tls_version ?? 'version not known'}`
        : 'no STARTTLS';
  return servers.map((server) => `${server.host}: ${state(server)}`).join(', ');
}

function sendersText({ senders, ipv4_addresses }: MailAnswer['spf']): HtmlValue {
  if (senders === null || ipv4_addresses === null) return unanswered();
  if (senders.length === 0) return 'nobody';
  const names = senders.map(({ term, service }) => service ?? term);
  return `${[...new Set(names)].join(', ')}: ${ipv4_addresses} IPv4 addresses`;
}

function daneText(rows: NonNullable<MailAnswer['dane']>): string {
  const covered = rows.filter(({ records }) => records > 0);
  if (covered.length === 0) return 'none';
  return covered
    .map(({ host, unsigned_reason: why, matches }) =>
      why === null
        ? `${host}${matches === null ? '' : matches ? ' (matches its certificate)' : ' (does not match its certificate)'}`
        : `${host} (without effect: ${why})`,
    )
    .join(', ');
}
