import * as packet from 'dns-packet';
import type { Rr } from './zone.ts';

export interface Asked {
  query: packet.DecodedPacket;
  name: string;
  type: string;
  tcp: boolean;
  /** How often this name was asked before. */
  times: number;
  /** Writes an answer with these records. */
  answer(of: { rcode?: keyof typeof RCODES; answers?: Rr[]; authorities?: Rr[]; flags?: number }): Buffer;
  /** What an honest server would say. */
  honest(): Buffer;
}
export const RCODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
