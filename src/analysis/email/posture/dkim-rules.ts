import { dkimKeyStrength } from '../dkim-key.ts';
import { type DkimFacts, sendsNoMail, usableDkimKeys } from './mail-facts.ts';
import { type PostureRule } from './posture-rule.ts';
import { summarizeList } from '../../display-text.ts';

/** Selectors of usable keys of which `holds`; what a wildcard says proves nothing. */
function describeMatchingKeys(
  dkim: DkimFacts | null,
  holds: (key: DkimFacts['keys'][number]['key']) => boolean,
): string[] {
  if (dkim === null) return [];
  return usableDkimKeys(dkim)
    .filter(({ key }) => holds(key))
    .map(({ selector, key }) => `${selector} (${key.bits} bits)`);
}

export const DKIM_RULES: readonly PostureRule[] = [
  {
    id: 'dkim_not_confirmed',
    check: 'dkim',
    severity: 'INFO',
    points: 5,
    remediation:
      'Name the selectors in use (s= of a DKIM-Signature header) in "selectors"; without DKIM, have the mail service sign.',
    findProblem: (facts) =>
      facts.dkim !== null &&
      facts.dkim.unanswered.length === 0 &&
      usableDkimKeys(facts.dkim).length === 0 &&
      !sendsNoMail(facts)
        ? `No DKIM key under ${facts.dkim.tested.length} common selectors. That is not "none": selectors cannot be listed.`
        : null,
  },
  {
    id: 'dkim_wildcard',
    check: 'dkim',
    severity: 'INFO',
    points: 0,
    remediation: 'Remove the wildcard TXT record below _domainkey.',
    findProblem: ({ dkim }) =>
      dkim?.wildcard === true ? 'The zone answers to every selector: finding a record proves nothing.' : null,
  },
  {
    id: 'dkim_key_broken_strength',
    check: 'dkim',
    severity: 'HIGH',
    points: 15,
    remediation: 'Replace the key by one of 2048 bits or Ed25519; receivers ignore keys below 1024 bits (RFC 8301).',
    findProblem: ({ dkim }) => {
      const short = describeMatchingKeys(dkim, (key) => dkimKeyStrength(key) === 'broken');
      return short.length > 0 ? `RSA keys that can be broken: ${summarizeList(short)}.` : null;
    },
  },
  {
    id: 'dkim_key_short',
    check: 'dkim',
    severity: 'MEDIUM',
    points: 5,
    remediation: 'Replace the key by one of 2048 bits (RFC 8301).',
    findProblem: ({ dkim }) => {
      const short = describeMatchingKeys(dkim, (key) => dkimKeyStrength(key) === 'short');
      return short.length > 0 ? `RSA keys below 2048 bits: ${summarizeList(short)}.` : null;
    },
  },
  {
    id: 'dkim_sha1',
    check: 'dkim',
    severity: 'MEDIUM',
    points: 5,
    remediation: 'Remove h=sha1 from the record; RFC 8301 forbids SHA-1.',
    findProblem: ({ dkim }) => {
      const old = describeMatchingKeys(dkim, ({ sha1Only }) => sha1Only);
      return old.length > 0 ? `Keys for SHA-1 alone: ${summarizeList(old)}.` : null;
    },
  },
  {
    id: 'dkim_testing',
    check: 'dkim',
    severity: 'LOW',
    points: 3,
    remediation: 'Remove t=y from the record.',
    findProblem: ({ dkim }) => {
      const testing = describeMatchingKeys(dkim, (key) => key.testing);
      return testing.length > 0 ? `Keys in test mode, which receivers may ignore: ${summarizeList(testing)}.` : null;
    },
  },
  {
    id: 'dkim_unreadable_key',
    check: 'dkim',
    severity: 'MEDIUM',
    points: 5,
    remediation: 'Publish the public key as base64 in p=, in one record of one selector.',
    findProblem: ({ dkim }) => {
      const broken = (dkim?.keys ?? []).filter(({ key }) => !key.revoked && !key.valid && key.keyType !== 'other');
      const names = [...(dkim?.unreadable ?? []), ...broken.map(({ selector }) => selector)];
      return names.length > 0 && dkim?.wildcard === false
        ? `Records that hold no readable key: ${summarizeList(names)}.`
        : null;
    },
  },
  {
    id: 'dkim_revoked',
    check: 'dkim',
    severity: 'INFO',
    points: 0,
    remediation:
      'Nothing to do: an empty p= is how a key is withdrawn. Remove the record when no mail signed with it is under way.',
    findProblem: ({ dkim }) => {
      const revoked = (dkim?.keys ?? []).filter(({ key }) => key.revoked).map(({ selector }) => selector);
      return revoked.length > 0 ? `Withdrawn keys: ${summarizeList(revoked)}.` : null;
    },
  },
];
