import { algorithmName, type DnssecCrypto, trustedDigestHash, isTrustedAlgorithm } from './algorithms.ts';
import { isWildcardExpansion, dnskeyRdata } from './canonical-rdata.ts';
import { findDenial, isCloserMatchDenied } from './find-denial.ts';
import { compareBytes, concatBytes, joinLabels, encodeName } from './names.ts';
import { type DsData, type NsecData, findRecords, type SignedAnswer } from './records.ts';
import {
  formatDay,
  TooManyAttemptsError,
  SignatureVerifier,
  type Zone,
  type ZoneKey,
  toZoneKeys,
} from './signature-verifier.ts';

/**
 * RFC 4033, section 5: `secure`: signed from the root down; `insecure`: proved to be unsigned, or signed only by algorithms that are not
 * trusted; `bogus`: without the valid signatures that it should have, refused by validating resolvers; `indeterminate`: unknown.
 */
export type DnssecStatus = 'secure' | 'insecure' | 'bogus' | 'indeterminate';

export interface DnssecValidation {
  security: DnssecStatus;
  /** A clause without a full stop; contains no text of third parties except names. */
  reason: string;
  /** From the root down to the name, or to where validation ended. */
  links: ChainLink[];
  /** The zone of the name has keys, even if the zone above has no DS record for them. */
  hasKeys: boolean;
}

export interface ChainLink {
  /** The zone; in the last link the name. */
  name: string;
  security: DnssecStatus;
  evidence: string;
}

/** The answers of the DNS; null: no answer. */
export interface ChainAnswers {
  name: string;
  /** DS of each name from the one below the root to the name itself. */
  ds: ReadonlyMap<string, SignedAnswer | null>;
  /** DNSKEY of the same names and of the root. */
  keys: ReadonlyMap<string, SignedAnswer | null>;
  /** The records of `ownType` at the name. */
  own: SignedAnswer | null;
  ownType: string;
}

/** Ends the validation with a result. */
class ValidationEnded extends Error {
  override readonly name = 'ValidationEnded';
  readonly security: DnssecStatus;

  constructor(security: DnssecStatus, reason: string) {
    super(reason);
    this.security = security;
  }
}

/** The names of a chain of trust, from the one below the root to the name itself. */
export function namesInChain(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, index) => joinLabels(labels.slice(labels.length - 1 - index)));
}

/** Follows the chain of trust from the root to the records of a name (RFC 4035, 5). */
export function validateChain(
  answers: ChainAnswers,
  { anchors, now, crypto }: { anchors: readonly DsData[]; now: Date; crypto: DnssecCrypto },
): DnssecValidation {
  const validator = new ChainValidator(answers, new SignatureVerifier(crypto, now));
  const { security, reason } = validator.validate(anchors);
  const hasKeys = findRecords(answers.keys.get(answers.name)?.answerSection ?? [], answers.name, 'DNSKEY').length > 0;
  return { security, reason, links: validator.links, hasKeys };
}

class ChainValidator {
  readonly links: ChainLink[] = [];
  readonly #answers: ChainAnswers;
  readonly #verifier: SignatureVerifier;
  #currentName = '.';

  constructor(answers: ChainAnswers, verifier: SignatureVerifier) {
    this.#answers = answers;
    this.#verifier = verifier;
  }

  validate(anchors: readonly DsData[]): { security: DnssecStatus; reason: string } {
    try {
      let zone = this.#validateRoot(anchors);
      for (const name of namesInChain(this.#answers.name)) {
        this.#currentName = name;
        zone = this.#validateDelegation(zone, name) ?? zone;
      }
      const reason = this.#validateRecords(zone);
      this.#addLink('secure', reason);
      return { security: 'secure', reason };
    } catch (error) {
      if (error instanceof ValidationEnded) {
        this.#addLink(error.security, error.message);
        return { security: error.security, reason: error.message };
      }
      if (!(error instanceof TooManyAttemptsError)) throw error;
      const reason = 'its signatures take too much work to check';
      this.#addLink('indeterminate', reason);
      return { security: 'indeterminate', reason };
    }
  }

  #addLink(security: DnssecStatus, evidence: string): void {
    this.links.push({ name: this.#currentName, security, evidence });
  }

  /** A problem here is not one of the name: a resolver that returns no signatures, or another root. */
  #validateRoot(anchors: readonly DsData[]): Zone {
    const found = this.#trustedKeys('.', anchors);
    if ('problem' in found)
      throw new ValidationEnded('indeterminate', `the root could not be validated: ${found.problem}`);
    return found;
  }

  /** The zone that begins at the name, with keys that the zone above confirms; null: no zone begins there. */
  #validateDelegation(zone: Zone, name: string): Zone | null {
    const answer = this.#answers.ds.get(name) ?? null;
    if (answer === null) throw new ValidationEnded('indeterminate', `the DNS did not say whether ${name} is signed`);
    const records = findRecords(answer.answerSection, name, 'DS');
    if (records.length === 0) return this.#proveNoDs(zone, name, answer);
    const check = this.#verifier.check(records, answer.answerSection, zone);
    if ('problem' in check) throw new ValidationEnded('bogus', check.problem);
    const all = records.map(({ data }) => data as DsData);
    const usable = all.filter(
      ({ algorithm, digestType }) => isTrustedAlgorithm(algorithm) && trustedDigestHash(digestType) !== null,
    );
    if (usable.length === 0) {
      const kinds = [...new Set(all.map(({ algorithm }) => algorithmName(algorithm)))].slice(0, 4).join(', ');
      throw new ValidationEnded('insecure', `${name} is signed with ${kinds}, without a trusted digest and algorithm`);
    }
    const found = this.#trustedKeys(name, usable);
    if ('problem' in found) throw new ValidationEnded('bogus', found.problem);
    return found;
  }

  /** Without DS records, the name begins an unsigned zone, or no zone. Either must be proved. */
  #proveNoDs(zone: Zone, name: string, answer: SignedAnswer): null {
    const alias = findRecords(answer.answerSection, name, 'CNAME');
    if (alias.length > 0) {
      if (answer.answerSection.some(({ type }) => type === 'DNAME')) {
        throw new ValidationEnded('indeterminate', `${name} is an alias by DNAME, which is not supported`);
      }
      const check = this.#verifier.check(alias, answer.answerSection, zone);
      if ('problem' in check) throw new ValidationEnded('bogus', check.problem);
      return null;
    }
    const denial = findDenial({ name, type: 'DS' }, answer.authoritySection, zone, this.#verifier);
    const above = zone.name === '.' ? 'the root' : zone.name;
    if (denial === null)
      throw createUnprovedError(answer, `${above} is signed, but does not prove that ${name} is not`);
    if (denial.proves === 'opt_out')
      throw new ValidationEnded('insecure', `${above} has no DS record of ${name} (opt-out)`);
    if (denial.proves === 'costly')
      throw new ValidationEnded('insecure', `${above} proves absence with too many rounds of hashing`);
    if (denial.proves === 'no_type' && denial.delegated) {
      throw new ValidationEnded('insecure', `${above} proves that ${name} has no DS record`);
    }
    return null;
  }

  /** The keys of a zone, signed by one of them that has a DS record (RFC 4035, 5.2). */
  #trustedKeys(name: string, ds: readonly DsData[]): Zone | { problem: string } {
    const zone = name === '.' ? 'the root' : name;
    const answer = this.#answers.keys.get(name) ?? null;
    if (answer === null) throw new ValidationEnded('indeterminate', `the DNS did not give the keys of ${zone}`);
    const records = findRecords(answer.answerSection, name, 'DNSKEY');
    if (records.length === 0) return { problem: `${zone} has no keys, though there are DS records for them` };
    const keys = toZoneKeys(records);
    const confirmed = keys.filter((key) => ds.some((one) => this.#isDigestOf(one, name, key)));
    if (confirmed.length === 0) {
      const tags = ds.slice(0, 4).map(({ keyTag }) => keyTag);
      return { problem: `no key of ${zone} is the one that its DS records name (${tags.join(', ')})` };
    }
    const check = this.#verifier.check(records, answer.answerSection, { name, keys: confirmed });
    if ('problem' in check) return check;
    const { keyTag, algorithm, expiration } = check.signature;
    this.#addLink('secure', `keys signed by ${keyTag} (${algorithmName(algorithm)}) until ${formatDay(expiration)}`);
    return { name, keys };
  }

  #isDigestOf({ keyTag, algorithm, digestType, digest }: DsData, name: string, key: ZoneKey): boolean {
    const hash = trustedDigestHash(digestType);
    if (hash === null || key.tag !== keyTag || key.algorithm !== algorithm) return false;
    return compareBytes(this.#verifier.digest(hash, concatBytes([encodeName(name), dnskeyRdata(key)])), digest) === 0;
  }

  /** Validates the records of the name, or the proof that it has none. */
  #validateRecords(zone: Zone): string {
    const { name, own, ownType } = this.#answers;
    if (own === null)
      throw new ValidationEnded('indeterminate', `the DNS did not give the ${ownType} records of ${name}`);
    const alias = findRecords(own.answerSection, name, 'CNAME');
    const records = alias.length > 0 ? alias : findRecords(own.answerSection, name, ownType);
    if (records.length === 0) return this.#validateAbsence(zone, own);
    const check = this.#verifier.check(records, own.answerSection, zone);
    if ('problem' in check) throw new ValidationEnded('bogus', check.problem);
    const { labels, keyTag, algorithm, expiration } = check.signature;
    if (
      isWildcardExpansion(name, check.signature) &&
      !isCloserMatchDenied({ name, labels }, own.authoritySection, zone, this.#verifier)
    ) {
      throw new ValidationEnded('bogus', `${name} comes from a wildcard, without a proof that it may`);
    }
    const type = alias.length > 0 ? 'CNAME' : ownType;
    return `${type} records signed by ${keyTag} (${algorithmName(algorithm)}) until ${formatDay(expiration)}`;
  }

  #validateAbsence(zone: Zone, own: SignedAnswer): string {
    const { name, ownType } = this.#answers;
    const denial = findDenial({ name, type: ownType }, own.authoritySection, zone, this.#verifier);
    if (denial === null) throw createUnprovedError(own, `nothing proves that ${name} has no ${ownType} records`);
    if (denial.proves === 'opt_out' || denial.proves === 'costly') {
      throw new ValidationEnded('insecure', `the absence of ${name} is not proved with signatures`);
    }
    return `it is proved that ${name} ${denial.proves === 'no_name' ? 'does not exist' : `has no ${ownType} records`}`;
  }
}

/** Names that are not valid UTF-8 are changed by decoding, so that signatures over them cannot be checked. */
function createUnprovedError({ authoritySection: authorities }: SignedAnswer, problem: string): ValidationEnded {
  const unreadable = authorities.some(
    ({ type, data }) => type === 'NSEC' && (data as NsecData).nextDomain.includes('\ufffd'),
  );
  return unreadable
    ? new ValidationEnded('indeterminate', 'the proof of absence has names that are not valid UTF-8')
    : new ValidationEnded('bogus', problem);
}
