/** Whether a name is another or stands below it. Both in lower case. */
export function isSameOrSubdomain(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}

/** A name and all above it that have at least two labels, the name first. */
export function nameAndParents(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}
