/** Content types of TLS records (RFC 8446, 5.1). */
export const RECORD_TYPES = { changeCipherSpec: 20, alert: 21, handshake: 22, applicationData: 23 } as const;

const HEADER_BYTES = 5;

export interface TlsRecord {
  type: number;
  header: Buffer;
  /** As far as it was received. */
  payload: Buffer;
  isComplete: boolean;
}

/** The TLS records in `received`, the last of which may be incomplete. Throws `RangeError` for bytes that are not TLS. */
export function* tlsRecords(received: Buffer): Generator<TlsRecord> {
  for (let at = 0; at + HEADER_BYTES <= received.length; ) {
    const header = received.subarray(at, at + HEADER_BYTES);
    const type = header[0]!;
    if (header[1] !== 3 || type < RECORD_TYPES.changeCipherSpec || type > RECORD_TYPES.applicationData)
      throw new RangeError('not a TLS record');
    const end = at + HEADER_BYTES + header.readUInt16BE(3);
    yield { type, header, payload: received.subarray(at + HEADER_BYTES, end), isComplete: end <= received.length };
    at = end;
  }
}
