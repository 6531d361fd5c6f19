/** What kind of text a secret stands in: it decides whether words without quotes are values, and what a single word may be. */
export type TextKind = 'settings' | 'code' | 'shell' | 'translation' | 'documentation' | 'unknown';

const SETTINGS_ENDINGS = new Set(
  `env dotenv properties ini cfg conf cnf config toml yaml yml json json5 jsonc xml plist tfvars tfstate hcl tf terraform netrc npmrc yarnrc pypirc
  pgpass htpasswd dockercfg kubeconfig dockerfile reg settings rdp ovpn credentials http rest har envrc ipynb template robot`.split(
    /\s+/,
  ),
);
const CODE_ENDINGS = new Set(
  `js jsx mjs cjs ts tsx mts cts py pyw rb erb java kt kts scala groovy gradle go rs c h cc cpp cxx hpp cs vb fs fsx swift m mm php phtml pl pm lua r
  dart ex exs erl map hs clj cljs coffee vue svelte html htm aspx cshtml razor jsp ejs hbs sql javascript typescript python ruby kotlin golang rust
  csharp objc perl elixir ps1 psm1 psd1 powershell sol`.split(/\s+/),
);
/** Shells give text without quotes, and calls and variables too. */
const SHELL_ENDINGS = new Set('sh bash zsh fish ksh bat cmd shell makefile'.split(' '));
const DOCUMENTATION_ENDINGS = new Set('md markdown mdx rst txt adoc asciidoc log text eml csv tex org wiki'.split(' '));
const TRANSLATION_ENDINGS = new Set('po pot mo resx xlf xliff arb lang strings ftl'.split(' '));
const LANGUAGE_CODE = String.raw`(?:ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|ko|lt|lv|ms|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|ur|vi|zh)(?:[_-][A-Za-z]{2,4})?`;
const TRANSLATION_PATH = new RegExp(
  String.raw`(?:^|/)(?:locales?|i18n|l10n|langs?|languages?|translations?|nls|intl)/|(?:^|/)${LANGUAGE_CODE}\.(?:json|ya?ml|php|js|ts|properties)$|(?:messages|strings|labels|translations?|locale|lang|resources|bundle)[._-]${LANGUAGE_CODE}\.\w+$|(?:^|/)(?:messages|translations?|labels)\.(?:json|properties|ya?ml|xml)$`,
  'i',
);
/** Names of files that have no ending, or one that says something else. */
const SETTINGS_NAME =
  /^(?:\.?(?:env|netrc|_netrc|npmrc|yarnrc|pypirc|pgpass|my\.cnf|git-credentials|gitconfig|s3cfg|boto|dockercfg|envrc|wgetrc|curlrc|flaskenv)(?:\..*)?|.*\.env(?:\..*)?|dockerfile.*|config|credentials|kubeconfig|hosts|jenkinsfile|procfile|vault_pass)$/i;

/** Judged by the path, else by the language that the caller named, else by how the text begins. */
export function textKindOf({ code, language, path }: { code: string; language: string; path: string }): TextKind {
  if (path !== '') {
    if (TRANSLATION_PATH.test(path)) return 'translation';
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (SETTINGS_NAME.test(name)) return 'settings';
  }
  const ending = language === 'auto' || language === '' ? /\.(\w{1,12})$/.exec(path)?.[1]?.toLowerCase() : language;
  return (ending === undefined ? null : kindOfEnding(ending)) ?? kindOfContent(code);
}

function kindOfEnding(ending: string): TextKind | null {
  if (SETTINGS_ENDINGS.has(ending)) return 'settings';
  if (CODE_ENDINGS.has(ending)) return 'code';
  if (SHELL_ENDINGS.has(ending)) return 'shell';
  if (TRANSLATION_ENDINGS.has(ending)) return 'translation';
  return DOCUMENTATION_ENDINGS.has(ending) ? 'documentation' : null;
}

/** Files that show how something is used, or try it: simple passwords in them are made up. */
const EXAMPLE_PATH =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|testing|fixtures?|mocks?|stubs?|examples?|samples?|demos?|tutorials?|docs?|benchmarks?|bench|e2e|testdata|readme|changelog)(?:[/._-]|\d*\.\w+$|$)|(?:Test|Tests|Spec|IT)\.\w+$|_test\.\w+$/i;

/** Whether simple passwords in the text are rather examples than in use. */
export function isExampleText(path: string, kind: TextKind): boolean {
  return kind === 'documentation' || EXAMPLE_PATH.test(path);
}

const HEAD_LENGTH = 4000;
const MIN_SETTINGS_LINES = 0.8;
const SETTINGS_LINE =
  /^\s*(?:#.*|;.*|\/\/.*|!.*|\[[^\]]+\]|(?:export\s+)?[\w."'/-]{1,80}\s?[=:]\s?(?!.*(?:[;{(]|=>)\s*$).*|-\s.*|---|[{}[\],]*)$/;
const CODE_MARKS =
  /^\s*(?:import |from \S+ import|package |using |#include|func |def |class |public |private |const |let |var |function |return |if ?\(|<\?php|module |use |require|async |export (?:default|const|class|function)|@\w+)/m;

/** A text of settings has nothing but names, values and comments in its lines. */
function kindOfContent(code: string): TextKind {
  const head = code.slice(0, HEAD_LENGTH);
  if (
    /^\s*(?:<\?xml|<[a-z][\w.:-]*[\s>/])/i.test(head) &&
    !/^\s*<(?:!doctype html|html|head|body|div|script)/i.test(head)
  )
    return 'settings';
  if (/^\s*[{[]\s*(?:"|\{\s*"|\})/.test(head)) return 'settings';
  if (/^#!.*\b(?:ba|z|k|da)?sh\b/.test(head)) return 'shell';
  if (CODE_MARKS.test(head)) return 'code';
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return 'unknown';
  const settings = lines.filter((line) => SETTINGS_LINE.test(line)).length;
  return lines.length >= 2 && settings / lines.length >= MIN_SETTINGS_LINES ? 'settings' : 'unknown';
}
