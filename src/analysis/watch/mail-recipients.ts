/** Whether mail may go to an address. `allowed`: addresses, domains (not those below them), or `*` for any. */
export function isMailAllowed(address: string, allowed: readonly string[]): boolean {
  const text = address.toLowerCase();
  const domain = text.slice(text.lastIndexOf('@') + 1);
  return allowed.map((each) => each.toLowerCase()).some((each) => each === '*' || each === text || each === domain);
}
