/** An indicator as reports write it, so that no program makes a link of it: `hxxps://evil[.]example/x`, `192.0.2[.]1`. Hashes stay as they are. */
export function defang(indicator: string): string {
  const [, scheme = '', host = '', rest = ''] = /^(\w+:\/\/)?([^/?#]*)([^]*)$/.exec(indicator) ?? [];
  const safeHost = host.replaceAll('.', '[.]').replaceAll('@', '[@]');
  return `${scheme.replace(/^http/i, 'hxxp').replace(/^ftp/i, 'fxp')}${safeHost}${rest}`;
}
