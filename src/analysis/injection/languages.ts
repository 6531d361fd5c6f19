import type { Grammar } from './lowering/grammar.ts';
import { cSharp } from './lowering/grammars/c-sharp.ts';
import { go } from './lowering/grammars/go.ts';
import { java } from './lowering/grammars/java.ts';
import { javascript } from './lowering/grammars/javascript.ts';
import { php } from './lowering/grammars/php.ts';
import { python } from './lowering/grammars/python.ts';
import { ruby } from './lowering/grammars/ruby.ts';
import { cSharpRules } from './rules/c-sharp.ts';
import { goRules } from './rules/go.ts';
import { javaRules } from './rules/java.ts';
import { javascriptRules } from './rules/javascript.ts';
import { phpRules } from './rules/php.ts';
import { pythonRules } from './rules/python.ts';
import { rubyRules } from './rules/ruby.ts';
import type { Rules } from './rules/rules.ts';

export interface Language {
  readonly name: string;
  /** Names and file endings by which it is known, in lower case. */
  readonly aliases: readonly string[];
  /** Its tree-sitter grammars, in the order in which they are tried. */
  readonly parsers: readonly string[];
  /** What text must have for the grammars after the first one to be tried. */
  readonly furtherParsersNeed?: RegExp;
  readonly grammar: Grammar;
  readonly rules: Rules;
  /** Found in most of its code; each one that matches adds to the score in `detectLanguage`. */
  readonly hints: readonly RegExp[];
  /** Put before code that lacks it. Has no line break. */
  readonly openingTag?: { readonly missing: RegExp; readonly text: string };
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'javascript',
    aliases: ['js', 'javascript', 'jsx', 'mjs', 'cjs', 'node', 'nodejs', 'node.js', 'ecmascript', 'javascriptreact'],
    parsers: ['javascript'],
    grammar: javascript,
    rules: javascriptRules,
    hints: [
      /\b(const|let) [\w{[]/,
      /=>/,
      /\brequire\(['"]/,
      /\bfunction\s*\*?\s*\w*\(/,
      /===|!==/,
      /\bawait\b/,
      /^[ \t]*(import|export) [^;]*from ['"]/m,
    ],
  },
  {
    name: 'typescript',
    aliases: ['ts', 'typescript', 'tsx', 'mts', 'cts', 'typescriptreact'],
    parsers: ['typescript', 'tsx'],
    // An element of JSX is closed by one of them.
    furtherParsersNeed: /<\/|\/>/,
    grammar: javascript,
    rules: javascriptRules,
    hints: [
      /\b(const|let) \w+\s*:/,
      /\)\s*:\s*(Promise<|void|string|number|boolean|any)\b/,
      /\w\??:\s*(string|number|boolean|any)\b/,
      /\binterface \w+ \{/,
      /\bas (string|any|unknown)\b/,
      /=>/,
      /^[ \t]*import [^;]*from ['"]/m,
      /\b(private|public) (readonly )?\w+:/,
    ],
  },
  {
    name: 'python',
    aliases: ['py', 'python', 'python3', 'py3'],
    parsers: ['python'],
    grammar: python,
    rules: pythonRules,
    hints: [
      /^[ \t]*(async )?def \w+\(.*\).*:[ \t]*(#.*)?$/m,
      /^[ \t]*(if|for|while|with|try|else|elif|except)\b.*:[ \t]*(#.*)?$/m,
      /^[ \t]*from [\w.]+ import /m,
      /^import [\w.]+( as \w+)?[ \t]*$/m,
      /\bNone\b|\bTrue\b|\bFalse\b/,
      /\bf["']/,
      /\bself\./,
      /^def \w+\([^)]*\):/m,
      /^@\w[\w.]*(\(.*\))?[ \t]*$/m,
    ],
  },
  {
    name: 'java',
    aliases: ['java', 'jsp'],
    parsers: ['java'],
    grammar: java,
    rules: javaRules,
    hints: [
      /\bpublic (static |final )*(class|interface|void|String|\w+<)/,
      /^import (static )?java[\w.]*;/m,
      /\bString \w+ = /,
      /\bthrows \w+/,
      /\bnew \w+(<\w*>)?\(/,
      /@(Override|RequestParam|PathVariable|GetMapping|Autowired)\b/,
      /\bSystem\.out\b|\bprivate final\b/,
    ],
  },
  {
    name: 'php',
    aliases: ['php', 'php7', 'php8', 'phtml', 'laravel'],
    parsers: ['php'],
    grammar: php,
    rules: phpRules,
    hints: [
      /<\?php|<\?=/,
      /<\?php/,
      /\$_(GET|POST|REQUEST|COOKIE|SERVER)\b/,
      /\$\w+\s*=[^=]/,
      /\$\w+->\w+/,
      /\w+::\w+\(/,
      /\becho\b/,
    ],
    openingTag: { missing: /<\?/, text: '<?php ' },
  },
  {
    name: 'go',
    aliases: ['go', 'golang'],
    parsers: ['go'],
    grammar: go,
    rules: goRules,
    hints: [
      /^package \w+/m,
      /^func (\(\w+ \*?\w+\) )?\w+\(/m,
      /:=/,
      /\berr != nil\b/,
      /\bfmt\.\w+\(/,
      /^import \(/m,
      /\bfunc\(/,
    ],
  },
  {
    name: 'ruby',
    aliases: ['rb', 'ruby', 'rails', 'rake'],
    parsers: ['ruby'],
    grammar: ruby,
    rules: rubyRules,
    hints: [
      /^[ \t]*def [\w.?!]+(\(.*\))?[ \t]*$/m,
      /^[ \t]*end[ \t]*$/m,
      /\bdo \|\w+/,
      /#\{/,
      /\bparams\[:/,
      /^[ \t]*class \w+( < [\w:]+)?[ \t]*$/m,
      /^[ \t]*require ['"]/m,
    ],
  },
  {
    name: 'csharp',
    aliases: ['cs', 'csharp', 'c#', 'c-sharp', 'dotnet', '.net', 'asp.net', 'aspnet'],
    parsers: ['c-sharp'],
    grammar: cSharp,
    rules: cSharpRules,
    hints: [
      /^using [\w.]+;/m,
      /\bnamespace [\w.]+/,
      /\bvar \w+ = (new|await|\$?")/,
      /\bpublic (async |static |override )*(Task|IActionResult|ActionResult|void|string|class)\b/,
      /\$@?"/,
      /\[(Http\w+|FromQuery|Route|ApiController)/,
      /\bstring \w+ = |\busing \(?var /,
    ],
  },
];

/** The language by any of its names, or null. */
export function languageNamed(name: string): Language | null {
  const wanted = name.trim().toLowerCase().replace(/^\./, '');
  return LANGUAGES.find(({ aliases }) => aliases.includes(wanted)) ?? null;
}

/** Only the beginning of the code is searched for hints. */
const MAX_DETECTION_LENGTH = 20_000;
const MAX_LINE_LENGTH = 1000;
const MIN_SCORE = 2;

/** The language that the code most looks like; null where that is not clear. */
export function detectLanguage(code: string): Language | null {
  const lines = code.slice(0, MAX_DETECTION_LENGTH).split('\n');
  const text = lines.map((line) => line.slice(0, MAX_LINE_LENGTH)).join('\n');
  const scored = LANGUAGES.map((language) => ({
    language,
    score: language.hints.filter((sign) => sign.test(text)).length,
  })).sort((one, other) => other.score - one.score);
  const [best, next] = scored;
  if (best === undefined || next === undefined || best.score < MIN_SCORE) return null;
  // TypeScript is JavaScript with more to it: either reads the other well enough.
  const rival = best.language.grammar === next.language.grammar ? scored[2] : next;
  return rival !== undefined && rival.score === best.score ? null : best.language;
}
