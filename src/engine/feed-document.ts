/** Entries of a feed to subscribe to, newest first. Times are RFC 3339. */
export interface FeedEntry {
  /** A URI that names the entry in every feed, and always. */
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly published: string | null;
  /** Its page. */
  readonly url: string;
  readonly summary: string;
}

export interface FeedDocument {
  readonly title: string;
  /** Absolute URLs of the feed and of its page. */
  readonly self: string;
  readonly page: string;
  readonly entries: readonly FeedEntry[];
}

/** Of a feed without entries: it has never changed. */
const NEVER = '1999-01-01T00:00:00Z';

/** An Atom feed (RFC 4287). */
export function renderAtom({ title, self, page, entries }: FeedDocument): string {
  const updated =
    entries
      .map((entry) => entry.updated)
      .sort()
      .at(-1) ?? NEVER;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xml(self)}</id>
<title>${xml(title)}</title>
<updated>${updated}</updated>
<author><name>Sextant</name></author>
<link rel="self" type="application/atom+xml" href="${xml(self)}"/>
<link rel="alternate" type="text/html" href="${xml(page)}"/>
${entries.map(atomEntry).join('')}</feed>
`;
}

function atomEntry({ id, title, updated, published, url, summary }: FeedEntry): string {
  return `<entry>
<id>${xml(id)}</id>
<title>${xml(title)}</title>
<updated>${updated}</updated>
${published === null ? '' : `<published>${published}</published>\n`}<link rel="alternate" type="text/html" href="${xml(url)}"/>
<summary>${xml(summary)}</summary>
</entry>
`;
}

/** A JSON Feed (version 1.1). */
export function renderJsonFeed({ title, self, page, entries }: FeedDocument): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      content_text: entry.summary,
      ...(entry.published !== null && { date_published: entry.published }),
      date_modified: entry.updated,
    })),
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters but tab and line ends, halves of a plane's last two, and what changes the direction of the text after it. */
const NOT_FOR_XML =
  // oxlint-disable-next-line no-control-regex -- these are the characters to remove
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_FOR_XML, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
