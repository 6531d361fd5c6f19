/** The normal form of a name of PyPI (PEP 503). */
export function normalizePythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
