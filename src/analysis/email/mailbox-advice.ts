/** What was found of an address; null: not known. */
export interface MailboxFindings {
  readonly syntax_valid: boolean;
  readonly domain_exists: boolean | null;
  readonly accepts_mail: boolean | null;
  readonly disposable: boolean | null;
  readonly role_address: boolean;
}

/** What an address is worth, in a few words, and what to do with it. */
export function mailboxAdvice(found: MailboxFindings): { verdict: string; advice: string } {
  if (!found.syntax_valid) {
    return { verdict: 'not a mail address', advice: 'Ask for it again: no mail can be sent to it.' };
  }
  if (found.disposable === true) {
    return {
      verdict: 'a throw-away mailbox',
      advice: 'Do not rely on it: anyone may read it, and in an hour it may belong to nobody.',
    };
  }
  if (found.domain_exists === false || found.accepts_mail === false) {
    return {
      verdict: found.domain_exists === false ? 'its domain does not exist' : 'its domain takes no mail',
      advice: 'Ask for it again: mail to it comes back. Mail that claims to come from it is forged.',
    };
  }
  if (found.accepts_mail === null) {
    return {
      verdict: 'not known whether it takes mail',
      advice: 'Ask again later: the DNS of its domain did not answer.',
    };
  }
  return {
    verdict: found.role_address ? 'a shared mailbox of a role' : 'a mailbox that can exist',
    advice:
      'Mail can be sent to its domain. Whether this mailbox exists, only a message that its owner answers can tell.',
  };
}
