import type { z } from 'zod';
import { type DomainFinding, type PartVerdict, tlsVerdict } from '../../analysis/domain-verdict.ts';
import { isMendedBySettings } from '../../analysis/tls/tls-fix.ts';
import { describeScore, formatCount } from '../../engine/summary.ts';
import type { sslCheck } from '../../operations/domain/ssl-check.ts';
import { html, type Html } from '../html.ts';
import { gradeBadge } from '../parts/severity.ts';
import { known } from '../parts/states.ts';
import { withFindingLinks } from './finding.ts';

export type TlsAnswer = z.output<(typeof sslCheck)['output']>;

const MAX_NAMES = 12;

/** Whether TLS protects visitors. */
export function judgeTls({ grade, valid, days_remaining }: TlsAnswer): PartVerdict {
  return tlsVerdict({ grade, valid, days: days_remaining });
}

/** What limits the grade. */
export function tlsFindings({ caps, fixes: [fix] }: TlsAnswer): DomainFinding[] {
  return caps.map(({ id, at_best, severity, reason, remedy }) => ({
    id: `tls.${id}`,
    part: 'tls',
    severity,
    exploited: false,
    cves: [],
    title: reason.replace(/\.$/, ''),
    why: `With this the grade is ${at_best} at best.`,
    fix: remedy,
    paste:
      fix !== undefined && isMendedBySettings(id) ? { place: `Configuration of ${fix.server}`, text: fix.lines } : null,
    guide: null,
    evidence: null,
    reference: null,
  }));
}

/** Certificate and settings of port 443. */
export function drawTls(answer: TlsAnswer): Html {
  const {
    grade,
    score,
    issuer,
    subject,
    not_before,
    not_after,
    days_remaining: days,
    san,
    protocols,
    cipher,
    chain_status,
    chain_notes,
    ocsp_stapled,
  } = answer;
  return html`<h2>TLS: ${judgeTls(answer).text}</h2>
<p>${gradeBadge(grade)} ${describeScore(score, 'higher')}.</p>
${withFindingLinks(
  html`<dl class="facts">
<dt>Certificate</dt><dd>${known(subject)} by ${known(issuer)}</dd>
<dt>Valid</dt><dd>${not_before === null || not_after === null ? known(null) : `${not_before.slice(0, 10)} to ${not_after.slice(0, 10)}`}${days !== null && (days < 0 ? `, over since ${formatCount(-days, 'day')}` : `, ${formatCount(days, 'day')} left`)}</dd>
<dt>Names</dt><dd>${san.length === 0 ? 'none' : san.slice(0, MAX_NAMES).join(', ')}${san.length > MAX_NAMES && ` and ${san.length - MAX_NAMES} more`}</dd>
<dt>Chain</dt><dd>${chain_status.replaceAll('_', ' ')}${chain_notes.length > 0 && `. ${chain_notes.join(' ')}`}</dd>
<dt>Versions</dt><dd>${Object.entries(protocols)
    .map(([version, accepted]) => `${version} ${accepted === null ? 'not known' : accepted ? 'yes' : 'no'}`)
    .join(' · ')}</dd>
<dt>Cipher</dt><dd>${cipher.name}${cipher.bits !== null && `, ${cipher.bits} bits`}${cipher.forward_secrecy ? '' : ', without forward secrecy'}</dd>
<dt>Suites</dt><dd>${suitesText(answer)}</dd>
<dt>Key exchange</dt><dd>${groupsText(answer)}</dd>
<dt>Attacks</dt><dd>${attacksText(answer)}</dd>
<dt>OCSP</dt><dd>${ocsp_stapled ? 'stapled' : 'not stapled'}</dd>
</dl>`,
  tlsFindings(answer),
)}`;
}

function suitesText({ cipher_suites: suites, server_preference }: TlsAnswer): string {
  if (suites.length === 0) return 'not known';
  const counts = Object.entries(Object.groupBy(suites, ({ strength }) => strength)).map(
    ([strength, rows]) => `${rows.length} ${strength}`,
  );
  const order =
    server_preference === null ? '' : server_preference ? ', in an order of its own' : ', in the order of clients';
  return `${suites.length}: ${counts.join(', ')}${order}`;
}

function groupsText({ groups, post_quantum: { supported } }: TlsAnswer): string {
  if (groups === null) return 'not known';
  const postQuantum =
    supported === null ? 'not known whether post-quantum' : supported ? 'post-quantum' : 'not post-quantum';
  return `${postQuantum}${groups.length > 0 ? `: ${groups.slice(0, MAX_NAMES).join(', ')}` : ''}`;
}

function attacksText({ attacks }: TlsAnswer): string {
  if (attacks.length === 0) return 'not known';
  const open = attacks.filter(({ vulnerable }) => vulnerable === true).map(({ name }) => name);
  return open.length === 0 ? 'none of those that settings tell' : `open to ${open.join(', ')}`;
}
