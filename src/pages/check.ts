import { ApiError } from '../errors.ts';
import { checkDependencies } from '../operations/code/check-dependencies.ts';
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
import { errorNote, stateNote } from './parts/states.ts';

const NOT_STORED = { 'cache-control': 'no-store' } as const;
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
    return packages.length > 0 ? packagesPage(packages, context) : startPage(request);
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
async function packagesPage(packages: readonly string[], context: PageContext): Promise<PageContent> {
  const answer = await context.ask(checkDependencies, { packages: packages.map((one) => one.trim()) });
  const { sentence, body } = dependencyResult(answer, 'packages', 'r1');
  const subject = packages.length === 1 ? packages[0]! : `${packages.length} packages`;
  return {
    title: `${sentence}: ${subject}`,
    description: answer.summary,
    main: html`<h1>${sentence}</h1>
<p class="note">${packages.join(', ')}. The address of this page is a link to this answer.</p>
${body}
<section id="version"><h2>Another version or package</h2>${packageForm({ package: packages[0]! })}<p>${link('/check', 'Check a whole lockfile, headers or code')}</p></section>`,
  };
}

async function checkTexts(form: FormData, context: PageContext): Promise<PageContent> {
  const texts = await readGivenTexts(form);
  const outcomes: { given: GivenText; result: TextResult | null; error: ApiError | null }[] = [];
  for (const [at, given] of texts.entries())
    outcomes.push({ given, ...(await tryCheck(given, `r${at + 1}`, context)) });
  const results = outcomes.flatMap(({ result }) => result ?? []);
  const format = form.get('format');
  if (typeof format === 'string' && format !== '') {
    const error = outcomes.find(({ error }) => error !== null)?.error;
    if (error != null) throw error;
    return {
      title: '',
      description: '',
      main: html``,
      headers: NOT_STORED,
      file: resultFile(format, results, context.now),
    };
  }
  const [first] = outcomes;
  if (results.length === 0) return failedPage(first!.given, first!.error!);
  const packed = await packTexts(
    outcomes.map(({ given }) => ({ ...given, isLockfile: ['lockfile', 'sbom'].includes(given.kind.kind) })),
  );
  const single = outcomes.length === 1 ? results[0]! : null;
  const title = single?.sentence ?? `${results.length} of ${outcomes.length} texts checked`;
  return {
    title,
    description: results.map(({ sentence, dependencies }) => dependencies?.summary ?? `${sentence}.`).join(' '),
    headers: NOT_STORED,
    hidesInput: true,
    main: html`<h1>${title}</h1>
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
