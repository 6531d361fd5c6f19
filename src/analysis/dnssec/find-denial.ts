import { isWildcardExpansion } from './canonical-rdata.ts';
import { lastLabels } from './names.ts';
import { coversName, denialFromNsec, type NsecRecord } from './nsec.ts';
import { nsec3CoversName, denialFromNsec3, type Nsec3Record } from './nsec3.ts';
import type { Denial } from './denial-types.ts';
import type { Nsec3Data, NsecData, ResourceRecord } from './records.ts';
import type { SignatureVerifier, Zone } from './signature-verifier.ts';

/** No proof needs more records. */
const MAX_RECORDS = 8;

/** What the signed proofs in an authority section show for a name and a type; null: nothing. */
export function findDenial(
  { name, type }: { name: string; type: string },
  section: readonly ResourceRecord[],
  zone: Zone,
  verifier: SignatureVerifier,
): Denial | null {
  const { spans, hashed } = collectSignedProofs(section, zone, verifier);
  if (spans.length > 0) return denialFromNsec(name, type, spans);
  return hashed.length === 0 ? null : denialFromNsec3({ name, type, zone: zone.name }, hashed, verifier.sha1);
}

/** Whether it is proved that no name is closer to `name` than a wildcard with `labels` labels (RFC 4035, 5.3.4; RFC 5155, 8.8). */
export function isCloserMatchDenied(
  { name, labels }: { name: string; labels: number },
  section: readonly ResourceRecord[],
  zone: Zone,
  verifier: SignatureVerifier,
): boolean {
  const { spans, hashed } = collectSignedProofs(section, zone, verifier);
  const nextCloser = lastLabels(name, labels + 1);
  return (
    spans.some((span) => coversName(span, name)) ||
    hashed.some((span) => nsec3CoversName(span, nextCloser, verifier.sha1))
  );
}

function collectSignedProofs(
  section: readonly ResourceRecord[],
  zone: Zone,
  verifier: SignatureVerifier,
): { spans: NsecRecord[]; hashed: Nsec3Record[] } {
  const signed = (type: 'NSEC' | 'NSEC3'): ResourceRecord[] =>
    section
      .filter((record) => record.type === type)
      .slice(0, MAX_RECORDS)
      .filter((record) => {
        const check = verifier.check([record], section, zone);
        return 'signature' in check && !isWildcardExpansion(record.name, check.signature);
      });
  return {
    spans: signed('NSEC').map((record) => ({ ...(record.data as NsecData), owner: record.name })),
    hashed: signed('NSEC3').map((record) => ({ ...(record.data as Nsec3Data), owner: record.name })),
  };
}
