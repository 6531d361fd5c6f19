const WRAPPED_TEXT = /^[<"'`(]([^<>"'`]*)[>"'`)]$/;

/**
 * An indicator as reports write it, so that nobody clicks on it, put back into its own form: `hxxps[://]evil[.]example/x`,
 * `1.2.3[.]4`, `evil(dot)example`. What is written plainly stays as it is.
 */
export function refang(text: string): string {
  const bare = text.trim();
  return (WRAPPED_TEXT.exec(bare)?.[1] ?? bare)
    .replace(/%5b(\.|dot|:|\/|:\/\/)%5d/gi, '[$1]')
    .replace(/\[:\/\/\]/g, '://')
    .replace(/\[([:/])\]/g, '$1')
    .replace(/[[({](?:\.|dot)[\])}]/gi, '.')
    .replace(/\[\.|\.\](?=[\p{L}\p{N}])/gu, '.')
    .replace(/^h(?:xx|\*\*)p(s?):/i, 'http$1:')
    .replace(/^fxp:/i, 'ftp:');
}
