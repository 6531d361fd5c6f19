import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GRAMMARS, SYNTAX_PARSER_PACKAGE } from '../build.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Who the copyright of a grammar belongs to, as the licence of its package says. All are under the MIT licence. */
const GRAMMAR_COPYRIGHTS: Readonly<Record<string, string>> = {
  'c-sharp': '2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors',
  go: '2014 Max Brunsfeld',
  java: '2017 Ayman Nadeem',
  javascript: '2014 Max Brunsfeld',
  php: '2017 Josh Vera, GitHub; 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White',
  python: '2016 Max Brunsfeld',
  ruby: '2016 Rob Rix',
  tsx: '2017 Max Brunsfeld',
  typescript: '2017 Max Brunsfeld',
};
const TREE_SITTER_COPYRIGHT = '2018-2024 Max Brunsfeld';

const RULE = '-'.repeat(78);

interface BundledPackage {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  /** Text of its licence. */
  text: string;
}

/** Reads what a package says of its licence. Throws where it says none. */
function readPackage(path: string): BundledPackage {
  const folder = join(ROOT, path);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, license, author } = manifest;
  if (typeof license !== 'string') throw new Error(`${path} does not say its licence`);
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const by = typeof author === 'object' ? (author as { name?: string } | null)?.name : author;
  return {
    name: String(name),
    version: String(version),
    license,
    text: texts.join('\n\n') || `By ${by ?? 'its contributors'}. The package has no text of its licence.`,
  };
}

/** The text of THIRD-PARTY-LICENSES.txt for packages, by their path as in the lock file. */
export function renderThirdPartyLicenses(paths: ReadonlySet<string>): string {
  const packages = [...paths].toSorted().map(readPackage);
  return `${[
    'Sextant contains parts of these packages. The text for those without one of their own stands at the end.',
    ...packages.map(({ name, version, license, text }) => `${RULE}\n${name} ${version} (${license})\n\n${text}`),
    `${RULE}\nIn ${SYNTAX_PARSER_PACKAGE}: tree-sitter and its grammars (MIT)\n`,
    ...['tree-sitter', ...GRAMMARS.map((grammar) => `tree-sitter-${grammar}`)].map(
      (name) => `${name}: Copyright (c) ${copyrightOf(name)}`,
    ),
    `${RULE}\nThe MIT licence\n\n${mitTerms()}`,
  ].join('\n')}\n`;
}

function copyrightOf(name: string): string {
  const copyright =
    name === 'tree-sitter' ? TREE_SITTER_COPYRIGHT : GRAMMAR_COPYRIGHTS[name.replace('tree-sitter-', '')];
  if (copyright === undefined) throw new Error(`the copyright of ${name} is not known`);
  return copyright;
}

/** The licence of Sextant is the same, after its copyright. */
function mitTerms(): string {
  const text = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  return text.slice(text.indexOf('Permission is hereby granted')).trim();
}
