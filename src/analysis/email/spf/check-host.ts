import { isSameOrSubdomain, normalizeDnsName, withoutFinalDot } from '../../domain-name.ts';
import { isQueryableName, type MailDns } from '../mail-dns.ts';
import { type SmtpClient, createSmtpClient, isClientInNetwork } from './smtp-client.ts';
import {
  expandMacros,
  expandMacrosToName,
  type MacroString,
  type MacroValues,
  parseMacroString,
  usesMacro,
} from './macro.ts';
import {
  MECHANISMS_NEEDING_DNS,
  isSpfRecord,
  isTopLabel,
  type SpfMechanism,
  parseSpfRecord,
  type SpfRecord,
  SpfSyntaxError,
  SPF_LIMITS,
} from './spf-record.ts';

export type SpfResult = 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror';

export interface SpfCheckInput {
  /** Address of the SMTP client. */
  ip: string;
  /** MAIL FROM without angle brackets; empty for a bounce: then `postmaster` at the HELO name is checked (2.4). */
  sender: string;
  helo: string;
  /** For the macro `r` in explanations. Default: `unknown`. */
  receiver?: string;
  /** Seconds since 1970, for the macro `t` in explanations. Default: 0. */
  time?: number;
}

export interface SpfCheckResult {
  result: SpfResult;
  /** What the domain says about a `fail`, where it does. */
  explanation: string | null;
  /** The term that decided, and the domain whose record has it; null: none did. */
  decidedBy: { domain: string; term: string } | null;
  /** Why it could not be decided, in words. */
  reason: string | null;
}

const UNDECIDED = { explanation: null, decidedBy: null } as const;

/** Whether a client may send mail for a domain: `check_host()` (RFC 7208, section 4). Rejects for an `ip` that is no address. */
export async function checkHost(question: SpfCheckInput, dns: MailDns): Promise<SpfCheckResult> {
  const sender = question.sender === '' ? `postmaster@${question.helo}` : question.sender;
  const at = sender.lastIndexOf('@');
  const local = at <= 0 ? 'postmaster' : sender.slice(0, at);
  const senderDomain = sender.slice(at + 1);
  const client = createSmtpClient(question.ip);
  if (!isMailDomain(senderDomain)) return { ...UNDECIDED, result: 'none', reason: 'the sender has no domain' };
  const check = new SpfEvaluator(question, { client, sender: `${local}@${senderDomain}`, local, senderDomain }, dns);
  try {
    return { ...(await check.evaluate(withoutFinalDot(senderDomain), true)), reason: null };
  } catch (error) {
    if (error instanceof SpfUndecidedError) return { ...UNDECIDED, result: error.result, reason: error.message };
    throw error;
  }
}

/** Ends the whole evaluation, includes and all. */
class SpfUndecidedError extends Error {
  readonly result: 'temperror' | 'permerror';

  constructor(result: 'temperror' | 'permerror', message: string) {
    super(message);
    this.result = result;
  }
}

function isMailDomain(text: string): boolean {
  const name = withoutFinalDot(text);
  return isQueryableName(name) && name.includes('.') && isTopLabel(name.slice(name.lastIndexOf('.') + 1));
}

interface SmtpParties {
  client: SmtpClient;
  sender: string;
  local: string;
  senderDomain: string;
}

class SpfEvaluator {
  readonly #question: SpfCheckInput;
  readonly #parties: SmtpParties;
  readonly #dns: MailDns;
  #lookups = 0;
  #voids = 0;

  constructor(question: SpfCheckInput, parties: SmtpParties, dns: MailDns) {
    this.#question = question;
    this.#parties = parties;
    this.#dns = dns;
  }

  /** `explain`: not within an include, whose explanation nobody is given (6.2). */
  async evaluate(domain: string, explain: boolean): Promise<Omit<SpfCheckResult, 'reason'>> {
    const record = await this.#record(domain);
    if (record === null) return { ...UNDECIDED, result: 'none' };
    for (const mechanism of record.mechanisms) {
      if (!(await this.#matches(mechanism, domain))) continue;
      const explained = explain && mechanism.qualifier === 'fail' && record.explanation !== null;
      const explanation = explained ? await this.#explanation(record.explanation!, domain) : null;
      return { result: mechanism.qualifier, explanation, decidedBy: { domain, term: mechanism.text } };
    }
    if (record.redirect === null) return { ...UNDECIDED, result: 'neutral' };
    this.#countLookup();
    const target = await this.#expandTarget(record.redirect, domain);
    const redirected = isQueryableName(target) ? await this.evaluate(target, explain) : null;
    if (redirected === null || redirected.result === 'none') {
      throw new SpfUndecidedError('permerror', `redirect leads to ${target}, which has no SPF record`);
    }
    return redirected;
  }

  async #record(domain: string): Promise<SpfRecord | null> {
    const texts = this.#requireAnswer(await this.#dns.txt(domain), domain);
    const records = texts.filter(isSpfRecord);
    if (records.length > 1) throw new SpfUndecidedError('permerror', `${domain} has more than one SPF record`);
    if (records.length === 0) return null;
    try {
      return parseSpfRecord(records[0]!);
    } catch (error) {
      if (error instanceof SpfSyntaxError) throw new SpfUndecidedError('permerror', `${domain}: ${error.message}`);
      throw error;
    }
  }

  async #matches(mechanism: SpfMechanism, domain: string): Promise<boolean> {
    const { type, network } = mechanism;
    if (MECHANISMS_NEEDING_DNS.has(type)) this.#countLookup();
    if (type === 'all') return true;
    if (network !== null) return this.#isClientIn(type === 'ip4' ? 4 : 6, network, mechanism);
    const target = mechanism.target === null ? domain : await this.#expandTarget(mechanism.target, domain);
    if (type === 'include') return this.#includes(target);
    if (!isQueryableName(target)) return false;
    switch (type) {
      case 'a':
        return this.#hostMatches(target, mechanism);
      case 'mx':
        return this.#mxMatches(target, mechanism);
      case 'exists':
        return this.#countVoidLookup(await this.#dns.a(target), target).length > 0;
      default:
        return (await this.#validatedNames()).some((name) => isSameOrSubdomain(name, target.toLowerCase()));
    }
  }

  async #includes(target: string): Promise<boolean> {
    const { result } = isQueryableName(target) ? await this.evaluate(target, false) : { result: 'none' };
    if (result === 'none')
      throw new SpfUndecidedError('permerror', `include leads to ${target}, which has no SPF record`);
    return result === 'pass';
  }

  async #hostMatches(host: string, mechanism: SpfMechanism): Promise<boolean> {
    const { family } = this.#parties.client;
    const addresses = this.#countVoidLookup(await (family === 4 ? this.#dns.a(host) : this.#dns.aaaa(host)), host);
    return addresses.some((address) => this.#isClientIn(family, address, mechanism));
  }

  async #mxMatches(target: string, mechanism: SpfMechanism): Promise<boolean> {
    const hosts = this.#countVoidLookup(await this.#dns.mx(target), target);
    if (hosts.length > SPF_LIMITS.hosts)
      throw new SpfUndecidedError('permerror', `${target} has more than 10 mail servers`);
    for (const { exchange } of hosts) {
      const host = withoutFinalDot(exchange);
      if (isQueryableName(host) && (await this.#hostMatches(host, mechanism))) return true;
    }
    return false;
  }

  /** Names of the client that lead back to it, of the first ten (5.5). What cannot be asked is left out. */
  async #validatedNames(): Promise<string[]> {
    const { client } = this.#parties;
    const names = (await this.#dns.ptr(client.reverseName)) ?? [];
    const validated: string[] = [];
    for (const name of names.slice(0, SPF_LIMITS.hosts).map(normalizeDnsName)) {
      if (!isQueryableName(name)) continue;
      const addresses = await (client.family === 4 ? this.#dns.a(name) : this.#dns.aaaa(name));
      if (addresses?.some((address) => isClientInNetwork(client, address, client.family === 4 ? 32 : 128)))
        validated.push(name);
    }
    return validated;
  }

  #isClientIn(family: 4 | 6, network: string, { prefix4, prefix6 }: SpfMechanism): boolean {
    const { client } = this.#parties;
    return client.family === family && isClientInNetwork(client, network, family === 4 ? prefix4 : prefix6);
  }

  /** Null where it cannot be had: then the default explanation stands (6.2). */
  async #explanation(target: MacroString, domain: string): Promise<string | null> {
    const name = await this.#expandTarget(target, domain);
    const texts = isQueryableName(name) ? await this.#dns.txt(name) : null;
    if (texts?.length !== 1) return null;
    const text = parseMacroString(texts[0]!, { explanation: true });
    return text === null ? null : expandMacros(text, await this.#macroValues(text, domain));
  }

  async #expandTarget(string: MacroString, domain: string): Promise<string> {
    return expandMacrosToName(string, await this.#macroValues(string, domain));
  }

  async #macroValues(string: MacroString, domain: string): Promise<MacroValues> {
    const { client, sender, local, senderDomain } = this.#parties;
    return {
      s: sender,
      l: local,
      o: senderDomain,
      d: domain,
      i: client.dotted,
      p: usesMacro(string, 'p') ? this.#preferredName(await this.#validatedNames(), domain) : '',
      v: client.family === 4 ? 'in-addr' : 'ip6',
      h: this.#question.helo,
      c: client.text,
      r: this.#question.receiver ?? 'unknown',
      t: String(this.#question.time ?? 0),
    };
  }

  #preferredName(names: readonly string[], domain: string): string {
    const own = domain.toLowerCase();
    const below = names.find((name) => isSameOrSubdomain(name, own));
    return (names.includes(own) ? own : below) ?? names[0] ?? 'unknown';
  }

  #countLookup(): void {
    this.#lookups++;
    if (this.#lookups > SPF_LIMITS.lookups)
      throw new SpfUndecidedError('permerror', 'more than 10 terms that need the DNS');
  }

  #requireAnswer<Found>(found: readonly Found[] | null, name: string): readonly Found[] {
    if (found === null) throw new SpfUndecidedError('temperror', `the DNS did not answer for ${name}`);
    return found;
  }

  /** Records of a name that a term names; too many that are not there end the evaluation. */
  #countVoidLookup<Found>(records: readonly Found[] | null, name: string): readonly Found[] {
    const found = this.#requireAnswer(records, name);
    if (found.length === 0) this.#voids++;
    if (this.#voids > SPF_LIMITS.voids)
      throw new SpfUndecidedError('permerror', 'more than 2 lookups that found nothing');
    return found;
  }
}
