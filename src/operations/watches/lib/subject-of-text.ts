import { parseIndicator } from '../../../analysis/indicators/parse-indicator.ts';
import { recognizeText } from '../../../analysis/recognize-text.ts';
import { quoteInput } from '../../../engine/input/identifiers.ts';
import { ApiError } from '../../../errors.ts';
import type { TryAsk } from '../../cve/lib/find-product.ts';
import { questionOfText, questionOfWords, type TextQuestion } from '../../question-of-text.ts';
import type { SubjectInput } from './watch-fields.ts';

/** `apache:log4j`, `apache:log4j@2.14.1`; a group of Maven has a dot. */
const PAIR = /^([\w.+-]{2,}):([\w.+-]{2,})(?:@(\S+))?$/;
/** `lodash@4.17.20` */
const NAME_AND_VERSION = /^(.+?)(?:@|==)([^@]+)$/;

/**
 * What somebody wants to watch who types this, recognised as look-ups recognise it. Throws `ApiError` 400 for what cannot be watched.
 */
export async function subjectOfText(text: string, tryAsk: TryAsk): Promise<Partial<SubjectInput>> {
  const recognized = recognizeText(text);
  const pair = recognized.kind === 'words' || recognized.kind === 'package' ? PAIR.exec(recognized.value) : null;
  if (pair !== null) return subjectOfPair(pair[1]!, pair[2]!, pair[3]);
  const question = questionOfText(recognized) ?? (await questionOfWords(recognized.value, tryAsk));
  const subject = subjectOfQuestion(question);
  if (subject !== null) return subject;
  throw new ApiError(
    'invalid_argument',
    `${quoteInput(text)} cannot be watched: give a CVE id, a package URL, a CPE name, vendor:product@version, a domain, an IP address, a URL or a hash.`,
  );
}

/** The subject of a question; null where its answer does not change, or where nobody records that it does. */
function subjectOfQuestion({ operation, input }: TextQuestion): Partial<SubjectInput> | null {
  const given = input as Record<string, string | undefined> & { packages?: string[] };
  switch (operation.id) {
    case 'cve_lookup':
      return { cve_id: given['cve_id'] };
    case 'check_dependencies':
      return subjectOfPackageText(given.packages![0]!);
    case 'affected_check':
    case 'product_lookup': {
      const fields = ['purl', 'cpe', 'vendor', 'product', 'version'].filter((name) => given[name] !== undefined);
      return Object.fromEntries(fields.map((name) => [name, given[name]]));
    }
    case 'domain_report':
      return { domain: given['domain'] };
    case 'ip_lookup':
    case 'threat_report':
      return { indicator: given['ip'] };
    case 'ioc_lookup': {
      const indicator = parseIndicator(given['indicator']!);
      return indicator === null ? null : { indicator: indicator.value };
    }
    case 'cve_search':
      return given['q'] === undefined ? null : { filters: { q: given['q'] } as SubjectInput['filters'] };
    default:
      return null;
  }
}

function subjectOfPair(vendor: string, product: string, version: string | undefined): Partial<SubjectInput> {
  const given = version === undefined ? {} : { version };
  return vendor.includes('.') ? { purl: `pkg:maven/${vendor}/${product}`, ...given } : { vendor, product, ...given };
}

function subjectOfPackageText(text: string): Partial<SubjectInput> {
  if (text.startsWith('pkg:')) return { purl: text };
  const [, product = text, version] = NAME_AND_VERSION.exec(text) ?? [];
  return { product, ...(version !== undefined && { version }) };
}
