/** The form of an answer at the path of a page. */
export type AnswerType = 'html' | 'json';

/**
 * What an Accept header prefers (RFC 9110, 12.5.1). A page is HTML unless JSON is asked for by name and HTML is not preferred: previews in
 * chats and plain commands, which accept anything, get the page.
 */
export function preferredType(accept: string | undefined): AnswerType {
  const weights = new Map<string, number>();
  for (const range of (accept ?? '').slice(0, 1000).toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(type, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const json = weights.get('application/json') ?? 0;
  const page = weights.get('text/html') ?? weights.get('application/xhtml+xml') ?? 0;
  return json > page ? 'json' : 'html';
}

/** Whether a client that got an error wants a page: browsers name HTML. */
export function acceptsHtml(accept: string | undefined): boolean {
  return /text\/html/i.test(accept ?? '') && preferredType(accept) === 'html';
}
