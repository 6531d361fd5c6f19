import type { Html } from '../html.ts';
import { link, withQuery } from '../links.ts';

/** The subject of a watch in an address: the fields of the operation; filters of a search as the query that they are. */
export type WatchValues = Readonly<Record<string, string | null | undefined>>;

/** A link to the form that watches this, filled in. */
export function watchLink(values: WatchValues, text = 'Watch this'): Html {
  return link(withQuery('/watches', values), text);
}
