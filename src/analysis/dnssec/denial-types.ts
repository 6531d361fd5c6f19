/**
 * What a proof shows for a name and a type (RFC 4035, 5.4; RFC 5155, 8): `no_type`: it has no such records (`delegated`: another zone
 * begins there); `no_name`: it does not exist; `opt_out`: it may exist in a span without signatures; `costly`: checking the proof takes
 * too many hash iterations (RFC 9276).
 */
export type Denial = { proves: 'no_type'; delegated: boolean } | { proves: 'no_name' | 'opt_out' | 'costly' };

/** Whether a name with these types, by a proof, has no records of `type`. */
export function provesNoType(types: readonly string[], type: string): boolean {
  return !types.includes(type) && !types.includes('CNAME');
}

/** Whether another zone begins at a name with these types, by the zone above. */
export function isDelegation(types: readonly string[]): boolean {
  return types.includes('NS') && !types.includes('SOA');
}

/** Whether names below one with these types are outside of the zone, so that a proof for it does not cover them (RFC 6840, 4.1). */
export function endsZone(types: readonly string[]): boolean {
  return isDelegation(types) || types.includes('DNAME');
}
