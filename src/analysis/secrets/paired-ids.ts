/** Findings of ids that are of no use without the secret that belongs to them. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  aws_access_key_id: ['aws_secret_access_key', 'aws_session_token'],
  aws_temporary_key_id: ['aws_secret_access_key', 'aws_session_token'],
  alibaba_access_key_id: ['alibaba_secret_key'],
  tencent_secret_id: ['tencent_secret_key'],
};
const UNNAMED = ['secret_assignment', 'bare_secret_assignment', 'credential_argument'];
const MAX_DISTANCE = 400;

interface Located {
  readonly rule: { readonly id: string };
  readonly start: number;
}

/** Leaves out an id whose secret stands near it: the two are one credential, and the secret is what leaks. `found` is in order of the text. */
export function withoutPairedIds<Found extends Located>(found: readonly Found[]): Found[] {
  return found.filter(({ rule, start }, index) => {
    const partners = PAIRS[rule.id];
    if (partners === undefined) return true;
    const isPartner = (one: Found): boolean => partners.includes(one.rule.id) || UNNAMED.includes(one.rule.id);
    for (let at = index - 1; at >= 0 && start - found[at]!.start <= MAX_DISTANCE; at--)
      if (isPartner(found[at]!)) return false;
    for (let at = index + 1; at < found.length && found[at]!.start - start <= MAX_DISTANCE; at++)
      if (isPartner(found[at]!)) return false;
    return true;
  });
}
