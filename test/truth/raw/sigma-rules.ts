import { DatabaseSync } from 'node:sqlite';
import { feedFile, zipFiles } from './files.ts';
import { readYaml, type Yaml } from './sigma-yaml.ts';

/** One rule as its file has it, read apart from the feed's parser. */
export interface RawRule {
  path: string;
  id: string;
  content: string;
  yaml: { [key: string]: Yaml };
  /** Techniques of its tags. */
  techniques: string[];
  /** CVEs of its tags, title and description. */
  cves: string[];
}

export function rawRules(...file: string[]): RawRule[] {
  const rules: RawRule[] = [];
  for (const { name, content } of zipFiles(feedFile(...file))) {
    if (!name.endsWith('.yml')) continue;
    const text = content.toString('utf8');
    const yaml = readYaml(text) as RawRule['yaml'];
    const tags = listOf(yaml['tags']);
    const prose = `${textOf(yaml['title'])}\n${textOf(yaml['description'])}`;
    rules.push({
      path: name,
      id: textOf(yaml['id']),
      content: text,
      yaml,
      techniques: tags.flatMap((tag) => (/^attack\.t\d/.test(tag) ? [tag.slice(7).toUpperCase()] : [])),
      cves: [
        ...new Set([
          ...tags.flatMap((tag) => (tag.startsWith('cve.') ? [`CVE-${tag.slice(4).replace('.', '-')}`] : [])),
          ...(prose.match(/CVE-\d{4}-\d{4,}/gi) ?? []).map((id) => id.toUpperCase()),
        ]),
      ],
    });
  }
  return rules;
}

export function listOf(value: Yaml | undefined): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** A scalar as text; nothing of anything else. */
export function textOf(value: Yaml | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

export interface RuleQuery {
  technique?: string;
  cve_id?: string;
  logsource_product?: string;
  logsource_category?: string;
  status?: string;
  level?: string;
  query?: string;
}

/** Ids of the rules for which every filter holds, in the order of ids; of words those with all, or else with any. */
export function bruteForce(rules: readonly RawRule[], query: RuleQuery, stems: Stems): string[] {
  const filtered = rules.filter(({ yaml, techniques, cves }) => {
    const logsource = (yaml['logsource'] ?? {}) as Record<string, Yaml>;
    const { technique, cve_id, logsource_product, logsource_category, status, level } = query;
    return (
      (technique === undefined || techniques.some((id) => id === technique || id.startsWith(`${technique}.`))) &&
      (cve_id === undefined || cves.includes(cve_id)) &&
      (logsource_product === undefined || logsource['product'] === logsource_product) &&
      (logsource_category === undefined || logsource['category'] === logsource_category) &&
      (status === undefined || yaml['status'] === status) &&
      (level === undefined || yaml['level'] === level)
    );
  });
  if (query.query === undefined) return idsOf(filtered);
  const words = stems.ofText(query.query);
  const has = (rule: RawRule, word: string): boolean => stems.ofRule.get(rule.id)?.has(word) ?? false;
  const withAll = filtered.filter((rule) => words.every((word) => has(rule, word)));
  return idsOf(withAll.length > 0 ? withAll : filtered.filter((rule) => words.some((word) => has(rule, word))));
}

function idsOf(rules: readonly RawRule[]): string[] {
  return rules.map(({ id }) => id).sort();
}

export interface Stems {
  ofRule: ReadonlyMap<string, ReadonlySet<string>>;
  ofText(text: string): string[];
}

/** Word stems (Porter) of the texts that a search is said to look into; SQLite stems, and does nothing else here. */
export function stemsOf(rules: readonly RawRule[]): Stems {
  const ofRule = new Map<string, ReadonlySet<string>>();
  for (const [index, terms] of termsOf(rules.map(searchedText)).entries()) ofRule.set(rules[index]!.id, terms);
  return { ofRule, ofText: (text) => [...termsOf([text])[0]!] };
}

function termsOf(texts: readonly string[]): Set<string>[] {
  using db = new DatabaseSync(':memory:');
  db.exec(`CREATE VIRTUAL TABLE text USING fts5 (body, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE words USING fts5vocab ('text', 'instance');
    BEGIN`);
  const insert = db.prepare('INSERT INTO text (rowid, body) VALUES (?, ?)');
  for (const [index, text] of texts.entries()) insert.run(index, text);
  const terms = texts.map(() => new Set<string>());
  for (const { term, doc } of db.prepare('SELECT term, doc FROM words').all()) terms[Number(doc)]!.add(String(term));
  return terms;
}

/** Title, description, author, tags without namespace, CVEs, log source, and 8,000 characters of what is looked for. */
function searchedText({ yaml, cves }: RawRule): string {
  const { condition: _, timeframe: __, ...selections } = yaml['detection'] as Record<string, Yaml>;
  const tags = listOf(yaml['tags']).map((tag) => tag.replace(/^[^.]*\./, ''));
  const logsource = Object.values(yaml['logsource'] as Record<string, Yaml>);
  const values = leaves(selections).map(spelled).join('\n').slice(0, 8000);
  return [
    ...['title', 'description', 'author'].map((name) => textOf(yaml[name])),
    ...tags,
    ...cves,
    ...logsource.map(textOf),
    values,
  ].join('\n');
}

function leaves(value: Yaml): string[] {
  if (value === null || typeof value === 'boolean') return [];
  return typeof value === 'object' ? Object.values(value).flatMap(leaves) : [String(value)];
}

/** What cannot be seen, as answers write it. */
export function spelled(text: string): string {
  return text.replace(
    /\u200d|\u202e|[\u{fe00}-\u{fe0f}]|[\u{e0000}-\u{e007f}]/gu,
    (character) => `{U+${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  );
}
