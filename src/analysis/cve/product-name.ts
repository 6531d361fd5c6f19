/** `apache log4j`; a vendor that its product repeats is left out: `linux kernel`. A package is named with its ecosystem. */
export function productName({
  vendor,
  product,
  ecosystem = null,
}: {
  readonly vendor: string | null;
  readonly product: string | null;
  readonly ecosystem?: string | null;
}): string {
  const said = vendor?.toLowerCase().replace(/_project$/, '') ?? '';
  const isRepeated = product?.toLowerCase().startsWith(said) === true;
  const name = [isRepeated ? null : vendor, product].filter((part) => part !== null).join(' ');
  return `${name.replaceAll('_', ' ')}${ecosystem === null ? '' : ` (${ecosystem})`}` || 'a product without a name';
}
