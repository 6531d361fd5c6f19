/** Pages to look at, by the path of each page: with content, empty, and with an error. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '/': ['/', '/no/such/page'],
};
