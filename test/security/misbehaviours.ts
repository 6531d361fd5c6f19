/** In what ways a source may misbehave. */
export const MISBEHAVIOURS = [
  '200 MB',
  'endless',
  'bomb',
  'nested',
  'nested, small',
  'nested objects',
  'html',
  'redirect inside',
  'redirect to itself',
  'prototype keys',
  'another shape',
  'cut',
  'reset',
  'silent',
  'slow',
  /** No misbehaviour, but large: as many as crt.sh has of large companies. */
  'certificates',
] as const;
export type Misbehaviour = (typeof MISBEHAVIOURS)[number];

/** Where a server listens on loopback that misbehaves in one way. */
export interface Ports {
  http: number;
  https: number;
  whois: number;
}
