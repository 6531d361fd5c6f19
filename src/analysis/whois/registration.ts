/** What a registry says of a name. `unreadable`: an answer that was not understood. */
export type RegistrationOutcome = 'registered' | 'available' | 'reserved' | 'invalid' | 'refused' | 'unreadable';

/** Facts of a registration: of the domain and its registrar, never of the people behind it. Unknown is null or empty. */
export interface Registration {
  outcome: RegistrationOutcome;
  domain: string | null;
  registrar: string | null;
  /** In IANA's registry of registrars. */
  registrarIanaId: string | null;
  registrarAbuseEmail: string | null;
  /** ISO 8601: a date, or a time in UTC. */
  created: string | null;
  updated: string | null;
  expires: string | null;
  /** Lower case, no final dot. */
  nameServers: string[];
  /** EPP codes (RFC 5731, RFC 3915) where a status is one of them, else as the registry words it. */
  status: string[];
  /** The delegation is signed. */
  signed: boolean | null;
  /** Where the registrar's own record stands. */
  referral: string | null;
}
