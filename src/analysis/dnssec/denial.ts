import { isExpanded } from './canonical.ts';
import { suffixOf } from './names.ts';
import { coversName, deniedByNsec, type Span } from './nsec.ts';
import { coversHash, deniedByNsec3, type HashedSpan } from './nsec3.ts';
import type { Denial } from './proof.ts';
import type { Nsec3Data, NsecData, Rr } from './records.ts';
import type { Verifier, Zone } from './verify.ts';

/** No proof needs more records. */
const MAX_RECORDS = 8;

/** What the proofs in an authority section say of a name and a type; those alone that the zone has signed. */
export function denialOf(
  { name, type }: { name: string; type: string },
  section: readonly Rr[],
  zone: Zone,
  verifier: Verifier,
): Denial {
  const { spans, hashed } = proofsIn(section, zone, verifier);
  if (spans.length > 0) return deniedByNsec(name, type, spans);
  return hashed.length === 0 ? null : deniedByNsec3({ name, type, zone: zone.name }, hashed, verifier.sha1);
}

/** Whether it is proved that no name stood in the way of a wildcard with so many labels (RFC 4035, 5.3.4; RFC 5155, 8.8). */
export function wildcardProved(
  { name, labels }: { name: string; labels: number },
  section: readonly Rr[],
  zone: Zone,
  verifier: Verifier,
): boolean {
  const { spans, hashed } = proofsIn(section, zone, verifier);
  const nextCloser = suffixOf(name, labels + 1);
  return (
    spans.some((span) => coversName(span, name)) || hashed.some((span) => coversHash(span, nextCloser, verifier.sha1))
  );
}

function proofsIn(section: readonly Rr[], zone: Zone, verifier: Verifier): { spans: Span[]; hashed: HashedSpan[] } {
  const signed = (type: 'NSEC' | 'NSEC3'): Rr[] =>
    section
      .filter((record) => record.type === type)
      .slice(0, MAX_RECORDS)
      .filter((record) => {
        const check = verifier.check([record], section, zone);
        return 'signature' in check && !isExpanded(record.name, check.signature);
      });
  return {
    spans: signed('NSEC').map((record) => ({ ...(record.data as NsecData), owner: record.name })),
    hashed: signed('NSEC3').map((record) => ({ ...(record.data as Nsec3Data), owner: record.name })),
  };
}
