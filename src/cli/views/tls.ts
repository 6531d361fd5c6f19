import { summarizeList } from '../../analysis/display-text.ts';
import { formatCount } from '../../engine/summary.ts';
import type { sslCheck } from '../../operations/domain/ssl-check.ts';
import { day } from './cve-parts.ts';
import { type AnswerOf, defineView, findings, table } from './view.ts';

const sslView = defineView<typeof sslCheck>('ssl_check', (ssl) => ({
  title: ssl.domain,
  verdict: [
    ssl.grade === null ? 'TLS not graded' : `TLS grade ${ssl.grade}`,
    ssl.valid ? 'the certificate is valid' : 'the certificate is NOT valid',
    ssl.days_remaining === null
      ? null
      : ssl.days_remaining < 0
        ? `expired ${formatCount(-ssl.days_remaining, 'day')} ago`
        : `${formatCount(ssl.days_remaining, 'day')} left`,
  ],
  facts: {
    subject: ssl.subject,
    issuer: ssl.issuer,
    valid: `${day(ssl.not_before)} to ${day(ssl.not_after)}`,
    names: summarizeList(ssl.san ?? []),
    versions: Object.entries(ssl.protocols ?? {})
      .map(([version, taken]) => `${version} ${taken === null ? 'not known' : taken ? 'taken' : 'refused'}`)
      .join(', '),
    cipher:
      ssl.cipher === null
        ? null
        : `${ssl.cipher.name}${!ssl.cipher.forward_secrecy ? ', without forward secrecy' : ''}`,
    'key exchange': exchangeText(ssl),
    'open to': (ssl.attacks ?? [])
      .filter(({ vulnerable }) => vulnerable === true)
      .map(({ name }) => name)
      .join(', '),
    chain: [ssl.chain_status?.replaceAll('_', ' '), ...(ssl.chain_notes ?? [])],
    'OCSP staple': ssl.ocsp_stapled ? 'sent' : ssl.must_staple ? 'missing, although the certificate demands it' : null,
  },
  sections: [
    findings('what lowers the grade', ssl.caps ?? [], ({ severity, reason, remedy, at_best }) => ({
      severity,
      text: `${reason} At best ${at_best}.`,
      remedy,
    })),
    table('cipher suites', ssl.cipher_suites, [
      { title: 'suite', cell: ({ name }) => name },
      { title: 'strength', cell: ({ strength }) => strength },
      { title: 'bits', cell: ({ bits }) => bits, align: 'right' },
      { title: 'protocols', cell: ({ protocols }) => protocols.join(', ') },
      { title: 'openssl', cell: ({ openssl_name }) => openssl_name, rank: 6 },
    ]),
    table('certificates', ssl.chain, [
      { title: 'subject', cell: ({ subject }) => subject },
      { title: 'issuer', cell: ({ issuer }) => issuer },
      { title: 'until', cell: ({ not_after }) => day(not_after), rank: 1 },
      { title: 'key', cell: ({ key }) => key, rank: 3 },
      { title: 'signature', cell: ({ signature_algorithm }) => signature_algorithm, rank: 4 },
      { title: 'from', cell: ({ from }) => from, rank: 5 },
    ]),
  ],
}));

function exchangeText({ groups, post_quantum: postQuantum }: AnswerOf<typeof sslCheck>): string | null {
  if (groups == null || groups.length === 0) return null;
  const supported = postQuantum?.supported ?? null;
  const word = supported === null ? 'post-quantum not known' : supported ? 'post-quantum' : 'not post-quantum';
  return `${summarizeList(groups)} (${word})`;
}

/** TLS of a host. */
export const TLS_VIEWS = [sslView];
