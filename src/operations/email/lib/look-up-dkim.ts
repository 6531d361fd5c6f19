import { COMMON_DKIM_SELECTORS, IMPROBABLE_SELECTOR, parseDkimKey } from '../../../analysis/email/dkim-key.ts';
import type { MailDns } from '../../../analysis/email/mail-dns.ts';
import type { DkimFacts } from '../../../analysis/email/posture/mail-facts.ts';

const MAX_CONCURRENT_QUERIES = 12;

/** DKIM keys (RFC 6376) under the given and the common selectors. Texts that a wildcard gives for any selector are ignored. */
export async function lookUpDkim(domain: string, extraSelectors: readonly string[], dns: MailDns): Promise<DkimFacts> {
  const tested = [...new Set([...extraSelectors.map((selector) => selector.toLowerCase()), ...COMMON_DKIM_SELECTORS])];
  const answers = new Map<string, readonly string[] | null>();
  const queue = [IMPROBABLE_SELECTOR, ...tested];
  const askNext = async (): Promise<void> => {
    for (let selector = queue.shift(); selector !== undefined; selector = queue.shift()) {
      answers.set(selector, await dns.txt(`${selector}._domainkey.${domain}`));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_QUERIES }, askNext));
  const wildcardTexts = answers.get(IMPROBABLE_SELECTOR) ?? [];
  const textsBySelector = tested.map((selector) => ({
    selector,
    texts: answers.get(selector)?.filter((text) => !wildcardTexts.includes(text)) ?? null,
  }));
  const keys = textsBySelector.flatMap(({ selector, texts }) =>
    (texts ?? []).flatMap((text) => {
      const key = parseDkimKey(text);
      return key === null ? [] : [{ selector, key }];
    }),
  );
  return {
    tested,
    unanswered: textsBySelector.filter(({ texts }) => texts === null).map(({ selector }) => selector),
    keys,
    unreadable: textsBySelector
      .filter(({ selector, texts }) => texts?.length && !keys.some((key) => key.selector === selector))
      .map(({ selector }) => selector),
    wildcard: wildcardTexts.length > 0,
  };
}
