import { COMMON_DKIM_SELECTORS, IMPROBABLE_SELECTOR, parseDkimKey } from '../../../analysis/email/dkim-key.ts';
import type { MailDns } from '../../../analysis/email/mail-dns.ts';
import type { DkimSurvey } from '../../../analysis/email/posture/mail-facts.ts';

const MAX_CONCURRENT_QUERIES = 12;

/** Keys under the given and the common selectors. */
export async function surveyDkim(domain: string, given: readonly string[], dns: MailDns): Promise<DkimSurvey> {
  const tested = [...new Set([...given.map((selector) => selector.toLowerCase()), ...COMMON_DKIM_SELECTORS])];
  const answers = new Map<string, readonly string[] | null>();
  const waiting = [IMPROBABLE_SELECTOR, ...tested];
  const askNext = async (): Promise<void> => {
    for (let selector = waiting.shift(); selector !== undefined; selector = waiting.shift()) {
      answers.set(selector, await dns.txt(`${selector}._domainkey.${domain}`));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_QUERIES }, askNext));
  const toAll = answers.get(IMPROBABLE_SELECTOR) ?? [];
  const own = tested.map((selector) => ({
    selector,
    texts: answers.get(selector)?.filter((text) => !toAll.includes(text)) ?? null,
  }));
  const keys = own.flatMap(({ selector, texts }) =>
    (texts ?? []).flatMap((text) => {
      const key = parseDkimKey(text);
      return key === null ? [] : [{ selector, key }];
    }),
  );
  return {
    tested,
    unanswered: own.filter(({ texts }) => texts === null).map(({ selector }) => selector),
    keys,
    unreadable: own
      .filter(({ selector, texts }) => texts?.length && !keys.some((key) => key.selector === selector))
      .map(({ selector }) => selector),
    wildcard: toAll.length > 0,
  };
}
