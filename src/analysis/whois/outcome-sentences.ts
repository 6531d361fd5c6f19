import type { WhoisOutcome } from './registration.ts';

/**
 * What a sentence without a known phrase says, by its words. Lines as `normalizeLine` makes them; `@` stands for a domain name. The
 * first pattern that matches decides, so that "not available for registration" comes before "available".
 */
const SENTENCES: readonly (readonly [outcome: Exclude<WhoisOutcome, 'unreadable'>, pattern: RegExp])[] = [
  ['refused', /\b(?:quota|limits?|maximum)\b.*\b(?:exceeded|exceeds|reached|passed)\b/],
  ['refused', /\b(?:exceeded|exceeds|reached)\b.*\b(?:quota|limits?|maximum|allowed|queries|requests)\b/],
  [
    'refused',
    /\btoo (?:many|much|frequent|fast|often|quickly)\b|\brate limit|\btry (?:it )?(?:again|later)\b|\bthrottl/,
  ],
  ['refused', /\b(?:blocked|banned|blacklisted|suspended)\b.*\b(?:ip|your|you|client|host)\b/],
  ['refused', /\b(?:ip|your|you|client)\b.*\b(?:blocked|banned|blacklisted|denied|refused|not authori[sz]ed)\b/],
  [
    'refused',
    /\b(?:access|permission|connection|query|request|lookup|service) (?:\S+ ){0,2}(?:denied|refused|rejected|forbidden)\b/,
  ],
  ['refused', /\b(?:temporarily|currently|momentarily) (?:\S+ )?(?:unavailable|disabled|unable|out of|down|offline)\b/],
  [
    'refused',
    /\bserver (?:is )?(?:too |very )?(?:busy|overloaded)\b|\b(?:under|for) maintenance\b|\bwait (?:\S+ ){0,4}(?:before|between)\b/,
  ],
  [
    'invalid',
    /\b(?:invalid|illegal|malformed|unsupported|incorrect|bad) (?:\S+ ){0,3}(?:domain|query|request|name|syntax|tld|object|characters?|label|format|zone|input|@)/,
  ],
  [
    'invalid',
    /\b(?:domain|query|request|name|tld|zone|suffix|extension|@) (?:\S+ ){0,2}(?:invalid|illegal|malformed|unsupported|incorrect|not valid|not supported)\b/,
  ],
  [
    'invalid',
    /\b(?:unknown|unrecogni[sz]ed) (?:tld|zone|suffix|extension|object type|query|command|request)\b|\bnot (?:a )?valid\b|\bnot (?:handled|served|managed) (?:by|here)\b/,
  ],
  ['available', /\b(?:not|no|t)\b.*\b(?:in|from|within) (?:\S+ ){0,4}(?:database|registry|records|register|zone|dns)$/],
  [
    'reserved',
    /\b(?:reserved|restricted|prohibited|forbidden|withheld|blocked|banned|protected|unregistrable)\b.*(?:@|\b(?:domain|name|names|string|registry|registration|use|list)\b)/,
  ],
  [
    'reserved',
    /(?:@|\b(?:domain|name|string|registration)\b).*\b(?:reserved|restricted|prohibited|forbidden|withheld|blocked|banned|protected|unregistrable)\b/,
  ],
  [
    'reserved',
    /\b(?:cannot|can not|may not|must not|can t) be (?:\S+ )?(?:registered|delegated|used|assigned|allocated)\b/,
  ],
  [
    'reserved',
    /\bnot (?:currently )?(?:available|open|eligible|allowed|permitted) (?:for|to) (?:\S+ ){0,2}(?:registration|registered|register|public)\b/,
  ],
  [
    'available',
    /\b(?:not|no|nothing|never|t|nothing|none)(?: \S+){0,5} (?:found|registered|registred|registerd|exists?|existing|match(?:es|ed|ing)?|known|located|delegated|allocated|assigned|recorded|taken|listed|retrieved)\b/,
  ],
  [
    'available',
    /\bno (?:\S+ ){0,3}(?:match(?:es)?|entry|entries|records?|data|objects?|results?|information|domains?|registration)\b/,
  ],
  [
    'available',
    /\b(?:unknown|unregistered|unassigned|undelegated|nonexistent|non existent|inexistent) (?:domain|name|object|@)/,
  ],
  [
    'available',
    /\b(?:is|are|domain|name|status|currently|still|@) (?:still |currently |now )?(?:free|available|unregistered|unassigned|vacant|unallocated)(?:$| (?:for|to be|to register|and|now|you)\b)/,
  ],
  [
    'available',
    /\b(?:may|can) be (?:\S+ )?registered\b|\bavailable for (?:registration|purchase|order|sale)\b|\bcould not find\b/,
  ],
  [
    'registered',
    /(?:@|\b(?:domain|name)\b)(?: \S+){0,3} (?:is|has been|was|already|currently) (?:\S+ )?(?:registered|taken|delegated|occupied|in use|not available|unavailable)$/,
  ],
];

/** Sentences of other languages, as they are written; what is there is about an unregistered name. */
const FOREIGN_AVAILABLE = `nao encontrado; nao foi encontrado; nao registrado; nao registado; nao existe; no encontrado; no registrado;
  no esta registrado; no se encuentra registrado; no se encontraron; no hay; dominio disponible; dominio disponivel; esta disponible;
  esta disponivel; dominio libre; non trouve; non enregistre; n est pas enregistre; n existe pas; aucun resultat; aucune donnee;
  est disponible; est libre; non trovato; non registrato; non esiste; nicht gefunden; nicht registriert; nicht vergeben; ist frei;
  nie znaleziono; nie istnieje; nie jest zarejestrowana; neexistuje; nebyl nalezen; neni registrovan; nenalezen; nije registriran;
  nije registrovan; nije pronadjen; ni registrirana; nem talalhato; nincs regisztralva; ikke fundet; ikke funnet; ikke registreret;
  ikke registrert; finns inte; hittades inte; inte registrerad; ei loytynyt; ei ole rekisteroity; ei leitud; bulunamadi; kayitli degil;
  не найден; не найдено; не найдена; не зарегистрирован; не зарегистрировано; не существует; домен свободен; не знайдено;
  не зареєстрований; tidak ditemukan; tidak terdaftar; khong tim thay; chua duoc dang ky; khong ton tai; 未注册; 尚未注册; 未註冊;
  沒有找到; 没有找到; 查無; 不存在; 未找到; 登録されていません; 見つかりません; 該当するデータがありません; 등록되어 있지 않; 등록되지 않은;
  존재하지 않`;

const MAX_WORDS = 16;
const MAX_PARAGRAPH_LINES = 3;

/** What the text says, as `normalize` makes its lines comparable; null: nothing that is understood. */
export function outcomeFromSentences(
  lines: readonly string[],
  normalize: (line: string) => string,
): Exclude<WhoisOutcome, 'unreadable'> | null {
  const foreign = FOREIGN_AVAILABLE.split(/;\s+/).map(normalize);
  for (const line of shortParagraphs(lines).map(normalize)) {
    if (line.split(' ').length > MAX_WORDS || /\brights reserved\b/.test(line)) continue;
    const found = SENTENCES.find(([, pattern]) => pattern.test(line));
    if (found !== undefined) return found[0];
    if (foreign.some((sentence) => line.includes(sentence))) return 'available';
  }
  return null;
}

/** Lines that stand alone, or with one or two others: longer paragraphs are terms of use, which speak of limits and of what is not there. */
function shortParagraphs(lines: readonly string[]): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (/[\p{L}]/u.test(line)) paragraphs.at(-1)!.push(line);
    else if (paragraphs.at(-1)!.length > 0) paragraphs.push([]);
  }
  return paragraphs.filter((paragraph) => paragraph.length <= MAX_PARAGRAPH_LINES).flat();
}
