/** Whether a name is registered. `unreadable`: the answer was not understood. */
export type RegistrationOutcome = 'registered' | 'available' | 'reserved' | 'invalid' | 'unreadable';

/** `refused`: the server declined to answer, so that nothing is known. */
export type WhoisOutcome = RegistrationOutcome | 'refused';

/** Facts of a registration: of the domain and its registrar, no personal data. Unknown is null or empty. */
export interface Registration {
  outcome: RegistrationOutcome;
  domain: string | null;
  registrar: string | null;
  /** Number in IANA's registry of registrars. */
  registrarIanaId: string | null;
  registrarAbuseEmail: string | null;
  /** ISO 8601: a date, or a time in UTC. */
  created: string | null;
  updated: string | null;
  expires: string | null;
  /** Lower case, no final dot. */
  nameServers: string[];
  /** EPP codes (RFC 5731, RFC 3915); other statuses as the registry writes them. */
  status: string[];
  /** The delegation is signed. */
  signed: boolean | null;
  /** The registrar's own record: a WHOIS server, or an RDAP URL. */
  referral: string | null;
}

/** Limit of a text in a registration, in characters. */
export const MAX_VALUE_LENGTH = 120;
const MAX_LIST_ITEMS = 30;

/** The first 30 items, each once. */
export function firstDistinctItems(items: readonly string[]): string[] {
  return [...new Set(items)].slice(0, MAX_LIST_ITEMS);
}
