const WRAPPED_TEXT = /^[<"'`(]([^<>"'`]*)[>"'`)]$/;

/**
 * Restores a defanged indicator, which reports write so that it is not a link: `hxxps[://]evil[.]example/x`, `1.2.3[.]4`,
 * `evil(dot)example`. Other texts are returned unchanged.
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
