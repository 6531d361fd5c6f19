import { escapeXml } from '../analysis/escape-xml.ts';
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
<id>${escapeXml(self)}</id>
<title>${escapeXml(title)}</title>
<updated>${updated}</updated>
<author><name>Sextant</name></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${entries.map(atomEntry).join('')}</feed>
`;
}

function atomEntry({ id, title, updated, published, url, summary }: FeedEntry): string {
  return `<entry>
<id>${escapeXml(id)}</id>
<title>${escapeXml(title)}</title>
<updated>${updated}</updated>
${published === null ? '' : `<published>${published}</published>\n`}<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>
<summary>${escapeXml(summary)}</summary>
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
