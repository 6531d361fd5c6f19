/** The data of an answer by its text over MCP, in which foreign text is marked (docs/decisions/038-foreign-text.md). */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export function parseMarked(text: string): any {
  return JSON.parse(text.replace(/[«»]/g, ''));
}
