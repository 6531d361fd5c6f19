/** A DNS record to publish; the value as it is pasted. */
export interface RecordToPublish {
  name: string;
  type: 'TXT' | 'CAA' | 'TLSA';
  value: string;
  /** A record of that kind is there: two of them would break both. */
  replaces: boolean;
}

/** A command that shows whether a change has worked. It names nothing but validated host names. */
export interface VerifyCommand {
  command: string;
  /** What it prints then. */
  expect: string;
}

/** How to mend a finding, from why it matters to how to see that it worked. */
export interface FixGuide {
  /** What can happen while it is so. */
  why: string;
  /** In the order to publish them; empty where nobody but the owner or a provider can write them. */
  records: RecordToPublish[];
  /** A file to serve over HTTPS. */
  file: { url: string; content: string } | null;
  /** What to know or do first, so that nothing that works breaks. */
  caution: string | null;
  /** What only somebody else can give or do: mail provider, registrar, operator of the name servers. */
  needed: string | null;
  verify: VerifyCommand[];
}

/** Shows the records of one type at a name. */
export function digCommand(type: string, name: string, expect: string): VerifyCommand {
  return { command: `dig +short ${type} ${name}`, expect };
}
