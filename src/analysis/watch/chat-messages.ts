import { displayLine } from '../display-text.ts';
import { defang } from '../indicators/defang.ts';
import { compareSeverity } from '../severity.ts';
import type { WatchEvent, WatchSubject } from './watch.ts';
import type { WatchMessage } from './webhook-message.ts';

/** Events that a message for people tells in full; the others are counted. */
const MAX_TOLD = 20;
const MAX_TITLE = 140;
const MAX_SENTENCE = 400;

/** A message for people, cleaned text without any markup. */
interface Told {
  title: string;
  items: { heading: string; what: string; why: string }[];
  /** What is left out, and where it is. */
  rest: string | null;
}

/** What a mail says: subject and plain text. */
export function mailText(message: WatchMessage): { subject: string; text: string } {
  const { title, items, rest } = tell(message);
  const parts = items.map(({ heading, what, why }) => [heading, what, why].filter((line) => line !== '').join('\n'));
  const foot = `Watch ${message.watch.id}. It is changed, muted and deleted where it was made.`;
  return { subject: title, text: `${[title, ...parts, rest, foot].filter((part) => part !== null).join('\n\n')}\n` };
}

/** The body of an incoming webhook of Slack: `text` for notifications, `blocks` for the channel. */
export function slackBody(message: WatchMessage): string {
  const { title, items, rest } = tell(message);
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
    ...items.map(({ heading, what, why }) =>
      section([`*${slackText(heading)}*`, slackText(what), slackText(why)].filter((line) => line !== '').join('\n')),
    ),
    ...(rest === null ? [] : [section(slackText(rest))]),
  ];
  return JSON.stringify({ text: slackText(title), blocks });
}

/** The body of a webhook of Teams (Workflows): an Adaptive Card. Text runs are shown as they are, without Markdown. */
export function teamsBody(message: WatchMessage): string {
  const { title, items, rest } = tell(message);
  const block = (...runs: object[]) => ({ type: 'RichTextBlock', inlines: runs });
  const run = (text: string, more = {}) => ({ type: 'TextRun', text, ...more });
  const body = [
    block(run(title, { size: 'Large', weight: 'Bolder' })),
    ...items.map(({ heading, what, why }) =>
      block(run(`${heading}\n`, { weight: 'Bolder' }), run(`${what}\n`), run(why)),
    ),
    ...(rest === null ? [] : [block(run(rest, { isSubtle: true }))]),
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return JSON.stringify({ type: 'message', attachments: [attachment] });
}

function tell({ watch, events }: WatchMessage): Told {
  const label = displayLine(watch.name ?? subjectLabel(watch.subject), 80);
  if (events === null) {
    const what = 'Changes that concern this watch will be told here.';
    return {
      title: displayLine(`Test of the watch ${label}`, MAX_TITLE),
      items: [{ heading: label, what, why: '' }],
      rest: null,
    };
  }
  const sorted = [...events].sort(compareUrgency);
  const [first] = sorted;
  const title =
    sorted.length === 1 && first !== undefined
      ? `${aboutLabel(first)}: ${first.what}`
      : `${sorted.length} changes concern ${label}, first ${first === undefined ? '' : aboutLabel(first)}`;
  const left = sorted.length - MAX_TOLD;
  return {
    title: displayLine(title, MAX_TITLE),
    items: sorted.slice(0, MAX_TOLD).map((event) => ({
      heading: displayLine(headingOf(event), MAX_TITLE),
      what: displayLine(event.what, MAX_SENTENCE),
      why: displayLine(event.why, MAX_SENTENCE),
    })),
    rest: left > 0 ? `${left} more: all of them are in the events of the watch ${watch.id}.` : null,
  };
}

/** `CVE-2026-1234, CRITICAL, known exploited`. */
function headingOf(event: WatchEvent): string {
  const { current } = event;
  const parts = [aboutLabel(event), current?.severity, current?.kev === true ? 'known exploited' : null];
  return parts.filter((part) => part != null).join(', ');
}

function aboutLabel({ about }: WatchEvent): string {
  if (about.kind === 'cve') return about.cve_id;
  // So that no chat makes a link of a dangerous address.
  return about.kind === 'domain' ? about.domain : defang(about.indicator);
}

function subjectLabel(subject: WatchSubject): string {
  switch (subject.kind) {
    case 'cve':
      return subject.cve_id;
    case 'product':
      return [subject.vendor, subject.product, subject.version].filter((part) => part !== null).join(' ');
    case 'package':
      return subject.version === null ? subject.purl : `${subject.purl}@${subject.version}`;
    case 'vendor':
      return subject.vendor;
    case 'search':
      return 'a search';
    case 'components':
      return `${subject.components.length} components`;
    case 'domain':
      return subject.domain;
    case 'indicator':
      return defang(subject.indicator);
  }
}

/** The most urgent first: known exploited, affected, severity, EPSS. */
function compareUrgency(one: WatchEvent, other: WatchEvent): number {
  const rank = ({ current, status }: WatchEvent): number =>
    (current?.kev === true ? 2 : 0) + (status === 'not_affected' ? 0 : 1);
  return (
    rank(other) - rank(one) ||
    compareSeverity(one.current?.severity ?? 'UNKNOWN', other.current?.severity ?? 'UNKNOWN') ||
    (other.current?.epss ?? 0) - (one.current?.epss ?? 0)
  );
}

/** Escapes what Slack reads as links and mentions. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
