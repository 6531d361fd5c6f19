/**
 * What is proved of a name and a type (RFC 4035, 5.4; RFC 5155, 8): it has no such records (`delegated`: another zone begins
 * there), it does not exist, or a span without signatures may hold it (`opt_out`). `costly`: the proof asks for more work than is
 * done for anybody (RFC 9276). Null: nothing is proved.
 */
export type Denial = { proves: 'no_type'; delegated: boolean } | { proves: 'no_name' | 'opt_out' | 'costly' } | null;

/** Whether the types that a proof lists for a name leave no room for one that is asked for. */
export function provesNoType(types: readonly string[], type: string): boolean {
  return !types.includes(type) && !types.includes('CNAME');
}

/** Another zone begins at the name, as the zone above sees it. */
export function isDelegation(types: readonly string[]): boolean {
  return types.includes('NS') && !types.includes('SOA');
}

/** Names below lie outside of the zone: a proof of this name says nothing of them (RFC 6840, 4.1). */
export function endsZone(types: readonly string[]): boolean {
  return isDelegation(types) || types.includes('DNAME');
}
