import { ApiError } from '../errors.ts';
import { checkDependencies } from '../operations/code/check-dependencies.ts';
import { MAX_CODE_BYTES } from '../operations/code/lib/code-check-fields.ts';
import { formatNumber } from '../engine/summary.ts';
import { MAX_PACKAGES_PER_CALL, MAX_PACKAGES_PER_DOCUMENT } from '../operations/code/lib/parse-packages-input.ts';
import { affectedCheck } from '../operations/cve/affected-check.ts';
import { checkForm, packageForm, productForm, recognised } from './check/check-form.ts';
import { codeResult } from './check/code-result.ts';
import { dependencyResult } from './check/dependency-result.ts';
import { downloads, resultFile } from './check/downloads.ts';
import { type GivenText, readGivenTexts } from './check/given-text.ts';
import { headerResult } from './check/header-result.ts';
import { packTexts } from './check/packed-texts.ts';
import { productPage } from './check/product-result.ts';
import type { TextResult } from './check/text-result.ts';
import { html, type Html } from './html.ts';
import { link } from './links.ts';
import { definePage, type PageContent, type PageContext, type PageRequest } from './page.ts';
import { watchLink } from './parts/watch-link.ts';
import { errorNote, stateNote } from './parts/states.ts';

const NOT_STORED = { 'cache-control': 'no-store' } as const;
/** Kept by the browser alone, so that Back leads to the result of a form; asked again on reload. */
const KEPT_BY_BROWSER = { 'cache-control': 'private, no-cache' } as const;
const PACKAGE_KINDS: readonly string[] = ['lockfile', 'sbom', 'packages'];
const SCRIPTS = ['drop'] as const;
/** Longer texts are not repeated beside an error. */
const MAX_REPEATED_CHARACTERS = 60_000;

/** `/check`: what is wrong with code, headers and dependencies that are pasted, and whether one version is affected. */
export const check = definePage({
  path: '/check',
  methods: ['GET', 'POST'],
  question({ query }) {
    const [product, version] = [query.get('product'), query.get('version') ?? undefined];
    if (product) return { operation: affectedCheck, input: { product, version } };
    const packages = query.getAll('purl').filter((purl) => purl !== '');
    if (packages.length > 0) return { operation: checkDependencies, input: { packages } };
    throw new ApiError(
      'invalid_argument',
      'Give purl, or product and version; texts are checked by POST /v1/check/dependencies, /headers, /secrets and /injection.',
    );
  },
  render(request, context) {
    const { form, query } = request;
    if (form !== null) return checkTexts(form, context);
    const product = query.get('product');
    if (product) return productPage(product, query.get('version') ?? undefined, context);
    const packages = query.getAll('purl').filter((purl) => purl !== '');
    return packages.length > 0 ? packagesPage(packages, fromOf(query), context) : startPage(request);
  },
});

function startPage({ query }: PageRequest): PageContent {
  return {
    title: 'Check code, headers and dependencies',
    description: 'Paste a lockfile, an SBOM, response headers or code: what to mend first. Nothing is stored.',
    scripts: SCRIPTS,
    main: html`<h1>Check code, headers and dependencies before they ship</h1>
${checkForm({ kind: query.get('kind') ?? '' })}
<section id="version"><h2>Is this version affected?</h2>
${packageForm()}
${productForm()}
</section>
${recognised()}`,
  };
}

/** Packages that the address names: a result that has a link. */
async function packagesPage(packages: readonly string[], from: number, context: PageContext): Promise<PageContent> {
  const answer = await context.ask(checkDependencies, { packages: packages.map((one) => one.trim()) });
  const pageFrom = (at: number): string => {
    const query = new URLSearchParams(packages.map((purl) => ['purl', purl]));
    if (at > 0) query.set('from', String(at));
    return `/check?${query.toString()}`;
  };
  const { sentence, body } = dependencyResult(answer, 'packages', 'r1', {
    from: from < answer.findings.length ? from : 0,
    pageFrom,
    hasFiles: false,
  });
  const subject = packages.length === 1 ? packages[0]! : `${packages.length} packages`;
  return {
    title: `${sentence}: ${subject}`,
    description: answer.summary,
    main: html`<h1>${sentence}</h1>
<p class="note">${packages.join(', ')}. The address of this page is a link to this answer.${packages.length === 1 && html` ${watchLink({ thing: packages[0]! })}.`}</p>
${body}
<section id="version"><h2>Another version or package</h2>${packageForm({ package: packages[0]! })}<p>${link('/check', 'Check a whole lockfile, headers or code')}</p></section>`,
  };
}

/** Of how many riskier findings the page is the continuation; 0 for what is no number. */
function fromOf(query: URLSearchParams): number {
  const text = query.get('from') ?? '';
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
}

async function checkTexts(form: FormData, context: PageContext): Promise<PageContent> {
  const { texts, error: problem } = await tryReadTexts(form);
  if (texts === null) return unreadPage(form, problem);
  const outcomes: { given: GivenText; result: TextResult | null; error: ApiError | null }[] = [];
  for (const [at, given] of texts.entries())
    outcomes.push({ given, ...(await tryCheck(given, `r${at + 1}`, context)) });
  const results = outcomes.flatMap(({ result }) => result ?? []);
  const format = form.get('format');
  if (typeof format === 'string' && format !== '') {
    const error = outcomes.find(({ error }) => error !== null)?.error;
    if (error != null) throw error;
    return { file: resultFile(format, results, context.now), headers: NOT_STORED };
  }
  const [first] = outcomes;
  if (results.length === 0) return failedPage(first!.given, first!.error!);
  const packed = await packTexts(
    outcomes.map(({ given }) => ({ ...given, isLockfile: ['lockfile', 'sbom'].includes(given.kind.kind) })),
  );
  // Code and headers may hold secrets: they are not left on the disk of a shared computer.
  const isKept = outcomes.every(({ given }) => PACKAGE_KINDS.includes(given.kind.kind));
  const single = outcomes.length === 1 ? results[0]! : null;
  const title = single?.sentence ?? severalSentence(results, outcomes.length);
  return {
    title,
    description: results.map(({ sentence, dependencies }) => dependencies?.summary ?? `${sentence}.`).join(' '),
    headers: isKept ? KEPT_BY_BROWSER : NOT_STORED,
    hidesInput: true,
    main: html`<h1>${title}</h1>
${!isKept && html`<p class="note">Open links of this page in a new tab: your browser does not keep this answer, and to come back it would have to send the text again.</p>`}
${outcomes.map(({ given, result, error }, at) => {
  const id = `r${at + 1}`;
  if (single !== null) return html`<p class="note">${describe(given)}</p>${single.body}`;
  const heading = html`<h2 id="${id}">${given.name ?? 'Pasted text'}: ${result?.sentence ?? 'not checked'}</h2><p class="note">${describe(given)}</p>`;
  return html`${heading}${result?.body ?? errorNote(error!, given.name ?? 'Pasted text')}`;
})}
${downloads(packed, results)}
<p>${link('/check', 'Check another text')}</p>`,
  };
}

/** `Something to mend in 2 of 3 texts, 1 not checked` */
function severalSentence(results: readonly TextResult[], given: number): string {
  const withProblems = results.filter(({ problems }) => problems.length > 0).length;
  const unchecked = given - results.length;
  return `${withProblems === 0 ? 'Nothing found to mend' : `Something to mend in ${withProblems} of ${given} texts`}${unchecked === 0 ? '' : `, ${unchecked} not checked`}`;
}

async function tryReadTexts(
  form: FormData,
): Promise<{ texts: GivenText[]; error: null } | { texts: null; error: ApiError }> {
  try {
    return { texts: await readGivenTexts(form), error: null };
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code === 'internal_error') throw thrown;
    return { texts: null, error: thrown };
  }
}

/** A form without a text, or with too many: the form again, as it was sent. */
function unreadPage(form: FormData, error: ApiError): PageContent {
  const [text, kind] = ['text', 'kind'].map((name) => form.get(name));
  return {
    status: error.status,
    title: 'Nothing was checked',
    description: error.message,
    headers: NOT_STORED,
    hidesInput: true,
    scripts: SCRIPTS,
    main: html`<h1>Nothing was checked</h1>
${stateNote('empty', error.message, 'The form is below.')}
${checkForm({ text: typeof text === 'string' && text.length <= MAX_REPEATED_CHARACTERS ? text : '', kind: typeof kind === 'string' ? kind : '' })}
${recognised()}`,
  };
}

/** A text that could not be checked: what would be right, and the form to try again. */
function failedPage(given: GivenText, error: ApiError): PageContent {
  const text = given.text.length <= MAX_REPEATED_CHARACTERS && !given.text.includes('\0') ? given.text : '';
  const heading =
    error.code === 'rate_limit_exceeded' ? 'Not checked: the quota is used up' : 'That could not be checked';
  return {
    status: error.status,
    title: heading,
    description: error.message,
    headers: {
      ...NOT_STORED,
      ...(error.retryAfterSeconds !== null && { 'retry-after': String(error.retryAfterSeconds) }),
    },
    hidesInput: true,
    scripts: SCRIPTS,
    main: html`<h1>${heading}</h1>
<p class="note">${describe(given)}</p>
${error.code === 'rate_limit_exceeded' ? errorNote(error, 'The text') : stateNote('partial', 'Nothing is known of it', error.message)}
${checkForm({ text, kind: given.word })}
${recognised()}`,
  };
}

async function tryCheck(
  given: GivenText,
  id: string,
  context: PageContext,
): Promise<{ result: TextResult; error: null } | { result: null; error: ApiError }> {
  try {
    return { result: await checkText(given, id, context), error: null };
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code === 'internal_error') throw thrown;
    return { result: null, error: thrown };
  }
}

async function checkText({ name, text, kind }: GivenText, id: string, context: PageContext): Promise<TextResult> {
  const file = name ?? 'pasted-text';
  switch (kind.kind) {
    case 'unsupported':
      throw new ApiError('invalid_argument', kind.why);
    case 'headers':
      return headerResult(text, file, id, context);
    case 'code':
      if (kind.language === null) requireRecognised(text);
      return codeResult(text, { language: kind.language, file, id }, context);
    case 'text':
      return codeResult(text, { file, id }, context);
    case 'packages': {
      if (kind.packages.length > MAX_PACKAGES_PER_CALL) {
        const message = `${kind.packages.length} packages in a list: at most ${MAX_PACKAGES_PER_CALL}. A lockfile or an SBOM may have more.`;
        throw new ApiError('invalid_argument', message);
      }
      return dependencyResult(await context.ask(checkDependencies, { packages: [...kind.packages] }), file, id);
    }
    case 'sbom':
    case 'lockfile': {
      const document = kind.kind === 'sbom' ? { sbom: text } : { lockfile: text, filename: kind.format };
      const answer = await context.ask(checkDependencies, { ...document, limit: MAX_PACKAGES_PER_DOCUMENT });
      return dependencyResult(answer, name ?? (kind.kind === 'lockfile' ? kind.format : file), id);
    }
  }
}

/** Throws `ApiError` 413 for a text that is taken for plain text and too long for that: it may be of a kind that was not recognised. */
function requireRecognised(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_CODE_BYTES) return;
  throw new ApiError(
    'body_too_large',
    `It was not recognised as a lockfile, an SBOM, headers or code, and has ${formatNumber(Math.ceil(bytes / 1024))} KiB: as plain text at most ${MAX_CODE_BYTES / 1024} KiB are read. Choose what it is, or give a part.`,
  );
}

/** What the text was taken for. */
function describe({ name, kind, word }: GivenText): Html {
  const how = word === '' ? 'read as' : 'read, as you said, as';
  const what = {
    lockfile: () => (kind as { format: string }).format,
    sbom: () => 'an SBOM',
    packages: () => 'a list of packages',
    headers: () => 'response headers',
    code: () =>
      (kind as { language: string | null }).language ?? 'text: no lockfile, SBOM, headers or language was recognised',
    text: () => 'text, for secrets alone',
    unsupported: () => null,
  }[kind.kind]();
  return html`${name ?? 'Pasted text'}${what !== null && html`, ${how} ${what}. Is it something else? Go back and choose what it is`}. Nothing of it is stored.`;
}
