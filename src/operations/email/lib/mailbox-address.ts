import { parseDomainName } from '../../../analysis/domain-name.ts';
import { parseEmailAddress } from '../../../analysis/email/address/parse-email-address.ts';
import { DISPOSABLE_LIST } from '../../../analysis/email/disposable.ts';
import type { Context } from '../../../engine/context.ts';

export interface MailboxAddress {
  /** Local part in lower case, domain in ASCII. */
  email: string;
  local: string;
  /** ASCII form; null: an address literal, or a name that mail cannot be sent to. */
  domain: string | null;
  /** SMTP can carry it (RFC 5321), and its domain is a full name or an address literal. */
  valid: boolean;
  /** What is unusual or wrong, as a sentence; null: nothing. */
  note: string | null;
}

/** Parses an e-mail address; `valid: false` with a note alone where the text is not one. */
export function parseMailbox(text: string): MailboxAddress | { valid: false; note: string } {
  const parsed = parseEmailAddress(text);
  if (parsed.form === 'broken') return { valid: false, note: `The address ${parsed.note}.` };
  const domain = parsed.isLiteral ? null : parseDomainName(parsed.domain);
  const local = parsed.local.toLowerCase();
  const usable = parsed.form === 'plain' || parsed.form === 'smtp';
  const reached = parsed.isLiteral || domain !== null;
  return {
    email: `${local}@${domain ?? parsed.domain}`,
    local,
    domain,
    valid: usable && reached,
    note: reached ? addressNote(parsed.note, usable, parsed.needsUtf8) : 'Its domain is not a full domain name.',
  };
}

function addressNote(note: string | null, usable: boolean, needsUtf8: boolean): string | null {
  if (note !== null) return usable ? `It has ${note}.` : `It has ${note}: mail cannot be sent to this form of it.`;
  return needsUtf8 ? 'Its local part is beyond ASCII: servers on the way must know SMTPUTF8 (RFC 6531).' : null;
}

/** Records the bundled list of disposable domains as a source, with its age. */
export function recordDisposableList({ evidence, now }: Context): void {
  const age = (now.getTime() - Date.parse(DISPOSABLE_LIST.published)) / 1000;
  evidence.recordLiveAnswer(DISPOSABLE_LIST.id, Math.max(0, Math.floor(age)));
}
