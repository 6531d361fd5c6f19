/** `sextant watch run`. */
export async function runWatches(_json: boolean): Promise<void> {}
