import { algorithmName, type DnssecCrypto, digestHash, isTrusted } from './algorithms.ts';
import { isExpanded, keyBytes } from './canonical.ts';
import { denialOf, wildcardProved } from './denial.ts';
import { compareBytes, joined, nameOf, wireName } from './names.ts';
import { type DsData, type NsecData, recordsAt, type SignedAnswer } from './records.ts';
import { day, TooManyTries, Verifier, type Zone, type ZoneKey, zoneKeys } from './verify.ts';

/**
 * RFC 4033, section 5: `secure`, signed from the root down; `insecure`, proved not to be signed, or signed with what proves
 * nothing; `bogus`, should be signed and is not, as validating resolvers refuse it; `indeterminate`, not found out.
 */
export type Security = 'secure' | 'insecure' | 'bogus' | 'indeterminate';

export interface Validation {
  security: Security;
  /** A sentence without its end, of names, numbers and dates alone. */
  reason: string;
  /** From the root down to the name, as far as it was followed. */
  links: Link[];
  /** The zone of the name has keys, whether or not the zone above tells of them. */
  hasKeys: boolean;
}

export interface Link {
  /** The zone, or the name in it that the last step is about. */
  name: string;
  security: Security;
  /** What shows it. */
  evidence: string;
}

/** What the DNS said; null: it did not answer. */
export interface ChainAnswers {
  name: string;
  /** DS of each name from the one below the root to the name itself. */
  ds: ReadonlyMap<string, SignedAnswer | null>;
  /** DNSKEY of the same names and of the root. */
  keys: ReadonlyMap<string, SignedAnswer | null>;
  /** What is to be judged, of `ownType` at the name. */
  own: SignedAnswer | null;
  ownType: string;
}

/** Ends the walk. */
class Ended extends Error {
  override readonly name = 'Ended';
  readonly security: Security;

  constructor(security: Security, reason: string) {
    super(reason);
    this.security = security;
  }
}

/** Names that a chain leads through, from the one below the root to the name itself. */
export function chainNames(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, index) => nameOf(labels.slice(labels.length - 1 - index)));
}

/** Follows the chain of trust from the root to the records of a name (RFC 4035, 5). */
export function validateChain(
  answers: ChainAnswers,
  { anchors, now, crypto }: { anchors: readonly DsData[]; now: Date; crypto: DnssecCrypto },
): Validation {
  const walk = new Walk(answers, new Verifier(crypto, now));
  const { security, reason } = walk.run(anchors);
  const hasKeys = recordsAt(answers.keys.get(answers.name)?.answers ?? [], answers.name, 'DNSKEY').length > 0;
  return { security, reason, links: walk.links, hasKeys };
}

class Walk {
  readonly links: Link[] = [];
  readonly #answers: ChainAnswers;
  readonly #verifier: Verifier;
  #at = '.';

  constructor(answers: ChainAnswers, verifier: Verifier) {
    this.#answers = answers;
    this.#verifier = verifier;
  }

  run(anchors: readonly DsData[]): { security: Security; reason: string } {
    try {
      let zone = this.#root(anchors);
      for (const name of chainNames(this.#answers.name)) {
        this.#at = name;
        zone = this.#below(zone, name) ?? zone;
      }
      const reason = this.#own(zone);
      this.#link('secure', reason);
      return { security: 'secure', reason };
    } catch (error) {
      if (error instanceof Ended) {
        this.#link(error.security, error.message);
        return { security: error.security, reason: error.message };
      }
      if (!(error instanceof TooManyTries)) throw error;
      const reason = 'its signatures take more work to check than is done';
      this.#link('indeterminate', reason);
      return { security: 'indeterminate', reason };
    }
  }

  #link(security: Security, evidence: string): void {
    this.links.push({ name: this.#at, security, evidence });
  }

  /** Nothing that is wrong here is the name's fault: a resolver that hands out no signatures, another root. */
  #root(anchors: readonly DsData[]): Zone {
    const found = this.#trustedKeys('.', anchors);
    if ('problem' in found) throw new Ended('indeterminate', `the root could not be validated: ${found.problem}`);
    return found;
  }

  /** The zone that begins at the name, its keys vouched for by the zone above; null: none begins there. */
  #below(zone: Zone, name: string): Zone | null {
    const answer = this.#answers.ds.get(name) ?? null;
    if (answer === null) throw new Ended('indeterminate', `the DNS did not say whether ${name} is signed`);
    const records = recordsAt(answer.answers, name, 'DS');
    if (records.length === 0) return this.#undelegated(zone, name, answer);
    const check = this.#verifier.check(records, answer.answers, zone);
    if ('problem' in check) throw new Ended('bogus', check.problem);
    const all = records.map(({ data }) => data as DsData);
    const usable = all.filter(({ algorithm, digestType }) => isTrusted(algorithm) && digestHash(digestType) !== null);
    if (usable.length === 0) {
      const kinds = [...new Set(all.map(({ algorithm }) => algorithmName(algorithm)))].slice(0, 4).join(', ');
      throw new Ended(
        'insecure',
        `${name} is signed with ${kinds} and no digest or algorithm that still proves anything`,
      );
    }
    const found = this.#trustedKeys(name, usable);
    if ('problem' in found) throw new Ended('bogus', found.problem);
    return found;
  }

  /** No DS: another zone without signatures, or none at all. Either has to be proved. */
  #undelegated(zone: Zone, name: string, answer: SignedAnswer): null {
    const alias = recordsAt(answer.answers, name, 'CNAME');
    if (alias.length > 0) {
      if (answer.answers.some(({ type }) => type === 'DNAME')) {
        throw new Ended('indeterminate', `${name} is an alias by DNAME, which is not followed`);
      }
      const check = this.#verifier.check(alias, answer.answers, zone);
      if ('problem' in check) throw new Ended('bogus', check.problem);
      return null;
    }
    const denial = denialOf({ name, type: 'DS' }, answer.authorities, zone, this.#verifier);
    const above = zone.name === '.' ? 'the root' : zone.name;
    if (denial === null) throw unproved(answer, `${above} is signed, but does not prove that ${name} is not`);
    if (denial.proves === 'opt_out') throw new Ended('insecure', `${above} tells of no keys of ${name} (opt-out)`);
    if (denial.proves === 'costly')
      throw new Ended('insecure', `${above} proves absence with too many rounds of hashing`);
    if (denial.proves === 'no_type' && denial.delegated) {
      throw new Ended('insecure', `${above} proves that ${name} has no DS record`);
    }
    return null;
  }

  /** The keys of a zone, signed by one of them that a DS record vouches for (RFC 4035, 5.2). */
  #trustedKeys(name: string, ds: readonly DsData[]): Zone | { problem: string } {
    const zone = name === '.' ? 'the root' : name;
    const answer = this.#answers.keys.get(name) ?? null;
    if (answer === null) throw new Ended('indeterminate', `the DNS did not give the keys of ${zone}`);
    const records = recordsAt(answer.answers, name, 'DNSKEY');
    if (records.length === 0) return { problem: `${zone} has no keys, though there are DS records for them` };
    const keys = zoneKeys(records);
    const vouched = keys.filter((key) => ds.some((one) => this.#isDigestOf(one, name, key)));
    if (vouched.length === 0) {
      const tags = ds.slice(0, 4).map(({ keyTag }) => keyTag);
      return { problem: `no key of ${zone} is the one that its DS records name (${tags.join(', ')})` };
    }
    const check = this.#verifier.check(records, answer.answers, { name, keys: vouched });
    if ('problem' in check) return check;
    const { keyTag, algorithm, expiration } = check.signature;
    this.#link('secure', `keys signed by ${keyTag} (${algorithmName(algorithm)}) until ${day(expiration)}`);
    return { name, keys };
  }

  #isDigestOf({ keyTag, algorithm, digestType, digest }: DsData, name: string, key: ZoneKey): boolean {
    const hash = digestHash(digestType);
    if (hash === null || key.tag !== keyTag || key.algorithm !== algorithm) return false;
    return compareBytes(this.#verifier.digest(hash, joined([wireName(name), keyBytes(key)])), digest) === 0;
  }

  /** The records of the name, or the proof that it has none. */
  #own(zone: Zone): string {
    const { name, own, ownType } = this.#answers;
    if (own === null) throw new Ended('indeterminate', `the DNS did not give the ${ownType} records of ${name}`);
    const alias = recordsAt(own.answers, name, 'CNAME');
    const records = alias.length > 0 ? alias : recordsAt(own.answers, name, ownType);
    if (records.length === 0) return this.#absent(zone, own);
    const check = this.#verifier.check(records, own.answers, zone);
    if ('problem' in check) throw new Ended('bogus', check.problem);
    const { labels, keyTag, algorithm, expiration } = check.signature;
    if (isExpanded(name, check.signature) && !wildcardProved({ name, labels }, own.authorities, zone, this.#verifier)) {
      throw new Ended('bogus', `${name} comes from a wildcard, without a proof that it may`);
    }
    const type = alias.length > 0 ? 'CNAME' : ownType;
    return `${type} records signed by ${keyTag} (${algorithmName(algorithm)}) until ${day(expiration)}`;
  }

  #absent(zone: Zone, own: SignedAnswer): string {
    const { name, ownType } = this.#answers;
    const denial = denialOf({ name, type: ownType }, own.authorities, zone, this.#verifier);
    if (denial === null) throw unproved(own, `nothing proves that ${name} has no ${ownType} records`);
    if (denial.proves === 'opt_out' || denial.proves === 'costly') {
      throw new Ended('insecure', `the absence of ${name} is not proved with signatures`);
    }
    return `it is proved that ${name} ${denial.proves === 'no_name' ? 'does not exist' : `has no ${ownType} records`}`;
  }
}

/** Names of other bytes than text has do not survive being decoded: what is signed over them cannot be checked here. */
function unproved({ authorities }: SignedAnswer, problem: string): Ended {
  const unreadable = authorities.some(
    ({ type, data }) => type === 'NSEC' && (data as NsecData).nextDomain.includes('\ufffd'),
  );
  return unreadable
    ? new Ended('indeterminate', 'the proof of absence holds names that are not text')
    : new Ended('bogus', problem);
}
