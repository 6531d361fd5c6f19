/** Answers of operations to one of their examples, for the documentation. */
export type ResponseExamples = Readonly<Record<string, { title: string; value: Record<string, unknown> }>>;

/**
 * Loads them, because a service needs them only when the documentation is read. `npm run examples` makes them from the starter
 * catalog, and from the data of the tests where that has none.
 */
export async function loadResponseExamples(): Promise<ResponseExamples> {
  const module = await import('./response-examples.json', { with: { type: 'json' } });
  return module.default;
}
