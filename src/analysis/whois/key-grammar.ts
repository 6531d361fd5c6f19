/** Facts that a key may name in words of its own, see `factFromWords`. */
export type WordedFact = 'domain' | 'registrar' | 'created' | 'updated' | 'expires' | 'nameServer' | 'status';

/** Words that name a fact, in the languages in which registries write. */
const WORDS_BY_FACT: Readonly<Record<WordedFact, string>> = {
  domain:
    'domain domainname dominio domaine domein domena domeny doman domene nazwa домен домена ドメイン名 域名 도메인이름',
  registrar: 'registrar registar registrador registraire registrator registratore регистратор 注册商 註冊商',
  created: `created create creation inscribed activated activation commencement approved approval granted assigned established
    creado creada creacion alta criado criada criacao ativacao cree creee creation erstellt angelegt oprettet skapad opprettet
    luotu utworzono utworzenia vytvoreno creato creata creazione olusturulma создан создана создания dibuat 登録年月日 注册时间 注册日期 등록일`,
  updated: `updated update modified modification modify changed change edited amended actualizado actualizacion modificado
    modificacion cambio atualizado atualizacao alterado alteracao modifie modification mise jour geaendert geandert aktualisiert
    anderung andret andrad endret muutettu modyfikacji zmieniono zmeneno modificato modifica aggiornato guncelleme обновлен
    обновлено обновления изменен изменено изменения 最終更新 更新时间 변경일`,
  expires: `expires expire expired expiry expiration expiring expirydate renewal until till paid valid validity billed due
    vencimiento vence expiracion expira caducidad vigencia renovacion validade vencimento expiracao ablauf ablaufdatum gueltig bis
    udlob utgar utloper paattyy waznosci wygasa platnosci expirace scadenza scade bitis kedaluwarsa berakhir истекает окончания оплачен действителен 有効期限 到期时间 过期时间 종료일`,
  nameServer: `nameserver nameservers nserver nservers ns dns server servers hostname host servidor servidores serveur serveurs
    navneserver navneservere namnserver nimipalvelin сервер серверы ネームサーバ 域名服务器 호스트이름`,
  status: 'status statut estatus estado situacao situacion stav stan stato durum durumu статус состояние 状態 状态',
};

/** Words that name a fact only where no other word of the key does: `Registration date`, but `Registration expires`. */
const WEAK_WORDS_BY_FACT: Readonly<Partial<Record<WordedFact, string>>> = {
  domain: WORDS_BY_FACT.domain,
  created: `registered registration register registro registrado registrada registo registado registriert enregistre
    enregistrement registrering registrerad registreret rekisteroity rejestracji registrace registrazione kayit pendaftaran terdaftar регистрации
    зарегистрирован`,
};

/** Words that say nothing of which fact is meant: articles, `date`, notations of dates, numbers in order. */
const FILLERS = new Set(
  `date dates time timestamp day at on in of the is was has been by for to a an last latest first second third fourth primary
  secondary other record records object entry data datum fecha hora dato dag dia tarihi utc gmt yyyy yy mm dd hh mi ss iso name
  names named nom nome nombre nombres adi de del du des do da di d l la le el em en zuletzt le der ist am listed order current
  sponsoring sponsor accredited responsible organization organisation company information info list delegated authoritative
  internet nama tanggal pada 사용 최근 정보 дата имя последнее последнего`.split(/\s+/),
);

const FACT_BY_WORD = wordTable(WORDS_BY_FACT);
const FACT_BY_WEAK_WORD = wordTable(WEAK_WORDS_BY_FACT);
const MAX_WORDS = 9;

/**
 * The fact that a key names by its words, in the form of `normalizeKey`: `date of creation`, `data de registo creation date dd mm
 * yyyy`. Null where a word is unknown (`registrant created`), or the words name several facts.
 */
export function factFromWords(key: string): WordedFact | null {
  const words = key.split(' ', MAX_WORDS + 1).filter((word) => !FILLERS.has(word));
  if (words.length === 0 || words.length > MAX_WORDS) return null;
  if (!words.every((word) => FACT_BY_WORD.has(word) || FACT_BY_WEAK_WORD.has(word))) return null;
  return (
    singleFact(words.filter((word) => !FACT_BY_WEAK_WORD.has(word)).map((word) => FACT_BY_WORD.get(word)!)) ??
    (words.every((word) => FACT_BY_WEAK_WORD.has(word)) ? weakFact(words) : null)
  );
}

function singleFact(facts: readonly WordedFact[]): WordedFact | null {
  return new Set(facts).size === 1 ? facts[0]! : null;
}

/** `Domain registered` is about when, `Domain name` about what. */
function weakFact(words: readonly string[]): WordedFact {
  return words.some((word) => FACT_BY_WEAK_WORD.get(word) === 'created') ? 'created' : 'domain';
}

function wordTable(table: Readonly<Partial<Record<WordedFact, string>>>): ReadonlyMap<string, WordedFact> {
  return new Map(
    Object.entries(table).flatMap(([fact, words]) =>
      words.split(/\s+/).map((word) => [normalizeKey(word), fact as WordedFact] as const),
    ),
  );
}

/** The form in which keys are compared: lower case, letters only, without accents, one space between words. */
export function normalizeKey(text: string): string {
  return text
    .replace(/^\s*\d+[a-z]?\.\s+/, '')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}
