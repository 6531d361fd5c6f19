/** Findings of ids that are of no use without the secret that belongs to them. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  aws_access_key_id: ['aws_secret_access_key', 'aws_session_token'],
  aws_temporary_key_id: ['aws_secret_access_key', 'aws_session_token'],
  alibaba_access_key_id: ['alibaba_secret_key'],
  tencent_secret_id: ['tencent_secret_key'],
};
const UNNAMED = ['secret_assignment', 'bare_secret_assignment', 'credential_argument'];
const MAX_DISTANCE = 400;

/** Leaves out an id whose secret stands near it: the two are one credential, and the secret is what leaks. */
export function withoutPairedIds<Found extends { rule: { id: string }; start: number }>(found: readonly Found[]): Found[] {
  const secrets = found.filter(({ rule }) => PAIRS[rule.id] === undefined);
  return found.filter(({ rule, start }) => {
    const partners = PAIRS[rule.id];
    if (partners === undefined) return true;
    return !secrets.some(
      (one) =>
        Math.abs(one.start - start) <= MAX_DISTANCE && (partners.includes(one.rule.id) || UNNAMED.includes(one.rule.id)),
    );
  });
}
