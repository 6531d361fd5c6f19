import { type CertificateFacts, subjectName, type TlsFacts } from './tls-facts.ts';

const MAX_NAMED_CERTIFICATES = 3;

/**
 * What is odd in the list of certificates that was sent, though clients can use it: certificates that are no part of the path, the
 * same one twice, a wrong order, a root. None of it changes the grade.
 */
export function describeChainOddities({
  chain,
  chainOmitted,
  trust,
}: Pick<TlsFacts, 'chain' | 'chainOmitted' | 'trust'>): string[] {
  const sent = chain.filter(({ from }) => from === 'sent');
  const repeated = sent.filter((one, index) => isRepeated(one, sent.slice(0, index)));
  const unused = sent.filter((one) => one.place === null && !repeated.includes(one));
  const notes: string[] = [];
  const more = unused.length + chainOmitted;
  if (more > 0) {
    const names = unused.slice(0, MAX_NAMED_CERTIFICATES).map((one) => `"${subjectName(one)}"`);
    const rest = more > names.length ? [`${more - names.length} more`] : [];
    notes.push(`Sent but not used, no part of the path: ${[...names, ...rest].join(', ')}.`);
  }
  if (repeated.length > 0) notes.push(`Sent more than once: "${subjectName(repeated[0]!)}".`);
  const places = sent.flatMap(({ place }) => (place === null ? [] : [place]));
  if (places.some((place, index) => index > 0 && place < places[index - 1]!)) {
    notes.push('The certificates are not in order, each followed by the one that issued it (RFC 5246, 7.4.2).');
  }
  const root = sent.find(({ place, selfSigned }) => place !== null && place > 0 && selfSigned);
  if (root !== undefined && trust === 'trusted')
    notes.push(`The root "${subjectName(root)}" is sent too; clients use their own.`);
  return notes;
}

function isRepeated({ fingerprint256 }: CertificateFacts, before: readonly CertificateFacts[]): boolean {
  return before.some((other) => other.fingerprint256 === fingerprint256);
}
