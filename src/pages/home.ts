import { describeNearMiss, recognizeLines, type RecognizedText } from '../analysis/recognize-text.ts';
import { formatCount } from '../engine/summary.ts';
import { advisoryLookup } from '../operations/cve/advisory-lookup.ts';
import { answersTable, MAX_LINES, needsLiveAnswers, subjectsOf } from './home/answers.ts';
import { changedSince, news, readDay } from './home/news.ts';
import { pageOfWords } from './home/page-of-words.ts';
import { html, type Html } from './html.ts';
import { link, paths, withQuery } from './links.ts';
import { pageOfText } from './page-of-text.ts';
import { definePage, type PageContent, type PageContext } from './page.ts';
import { formText } from './read-form.ts';

const KEPT_MS = 5000;
/** A longer text has no address of its own: its answer is the response to the form. */
const MAX_QUERY_CHARACTERS = 2000;

/** `/`: one box that recognises what is typed or pasted; `q`: that text; `since`: a day from which on changes are shown. */
export const home = definePage({
  path: '/',
  methods: ['GET', 'POST'],
  // Without a question it is free.
  keptMs: KEPT_MS,
  async render({ form, query }, context) {
    const asked = form === null ? (query.get('q') ?? '') : await formText(form, 'q');
    const text = asked.trim();
    if (text === '') return form === null ? startPage(query, context) : { redirectTo: '/?q=' };
    const lines = recognizeLines(text);
    const [only] = lines;
    const page = lines.length === 1 && only !== undefined ? await pageOfLine(only, context) : null;
    if (page !== null) return { redirectTo: page };
    if (form !== null && text.length <= MAX_QUERY_CHARACTERS) return { redirectTo: withQuery('/', { q: text }) };
    return answersPage(text, lines, context);
  },
});

/** Where one line leads at once; null: what it is has to be said first. */
async function pageOfLine(line: RecognizedText, context: PageContext): Promise<string | null> {
  if (line.kind === 'ghsa') return pageOfAdvisory(line.value, context);
  if (line.kind !== 'words') return pageOfText(line);
  return describeNearMiss(line.value) === null ? pageOfWords(line.value, context) : null;
}

/** That of the CVE which a GitHub advisory is about; null: it names none, or is not known. */
async function pageOfAdvisory(ghsaId: string, context: PageContext): Promise<string | null> {
  const { answer } = await context.tryAskCatalog(advisoryLookup, { ghsa_id: ghsaId });
  return answer?.cve_id == null ? null : paths.cve(answer.cve_id);
}

async function startPage(query: URLSearchParams, context: PageContext): Promise<PageContent> {
  const day = readDay(query.get('since'), context.now);
  return {
    title: 'Security answers with their evidence',
    description: 'CVEs, domains, IPs, e-mail, web pages, indicators, attack and defense, code.',
    main: html`<h1>Ask about anything</h1>
${query.has('q') && html`<p class="note" role="alert">Nothing was entered: write or paste what you want to know about, then look it up.</p>`}
${box('')}
${day !== null && (await changedSince(day, context))}
${await news(context)}`,
    scripts: ['visits'],
  };
}

async function answersPage(text: string, lines: readonly RecognizedText[], context: PageContext): Promise<PageContent> {
  const shown = lines.slice(0, MAX_LINES);
  const subjects = await subjectsOf(shown, context);
  const unknown = lines.filter((line) => line.kind === 'words' && !subjects.has(line)).length;
  const heading =
    lines.length === 1
      ? subjects.values().some((subject) => 'choices' in subject)
        ? `Which product is meant: ${text}`
        : 'What this is'
      : `${formatCount(lines.length, 'line')}, ${unknown === 0 ? 'all' : lines.length - unknown} recognised`;
  const head = html`<h1>${heading}</h1>
${box(text)}
${lines.length > MAX_LINES && html`<p class="note">The first ${MAX_LINES} are shown: paste the others by themselves.</p>`}`;
  const content = { title: heading, description: 'What was pasted, recognised line by line.' };
  if (!needsLiveAnswers(shown))
    return { ...content, main: html`${head}${await answersTable(shown, subjects, context)}` };
  const waiting = html`<p>Asking threat lists about ${formatCount(shown.filter((line) => needsLiveAnswers([line])).length, 'indicator')} …</p>`;
  return {
    ...content,
    main: head,
    parts: [{ id: 'answers', waiting, content: answersTable(shown, subjects, context) }],
  };
}

function box(text: string): Html {
  return html`<form class="ask" method="post" action="/"><label for="ask">CVE, domain, IP, hash, URL, package, technique or product; many lines are many questions</label>
<textarea id="ask" name="q" rows="${Math.min(12, Math.max(3, text.split('\n').length + 1))}" spellcheck="false" autocomplete="off" data-enter required placeholder="CVE-2021-44228">${text}</textarea>
<p><button>Look up</button> <span class="note">Try ${[
    'CVE-2021-44228',
    'apache log4j 2.14.1',
    'example.com',
    'CWE-79',
    'T1190',
  ].map(
    (example, at) => html`${at > 0 && ' · '}${link(withQuery('/', { q: example }), example)}`,
  )}. What you ask is not stored.</span></p></form>`;
}
