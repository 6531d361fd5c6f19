/** ISO 8601 of `2021-04-06 19:47:13`, with or without ` UTC` after it (abuse.ch); null for what is no such time. */
export function parseAbusechTime(text: string | null | undefined): string | null {
  const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(?: UTC|Z)?$/.exec(text ?? '');
  const parsed = time === null ? Number.NaN : Date.parse(`${time[1]}T${time[2]}Z`);
  return Number.isNaN(parsed) ? null : new Date(parsed).toISOString();
}
