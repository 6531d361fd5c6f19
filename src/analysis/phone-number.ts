import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface PhoneFacts {
  valid: boolean;
  /** Null: not valid. */
  format: { e164: string; international: string; national: string } | null;
  /** ISO 3166-1 alpha-2; null: unknown, or not of one country (satellite, toll-free). */
  country: string | null;
  /** Digits after the `+`. */
  callingCode: string | null;
  type: string | null;
  /** Why the number is not valid, as a sentence; null: it is valid. */
  invalidReason: string | null;
}

/** Reads a number by the numbering plans (ITU-T E.164). Without an international prefix the country is unknown: not valid. */
export function parsePhoneFacts(text: string): PhoneFacts {
  const dialled = text.trim().replace(/^00(?=[1-9])/, '+'); // Many countries dial `00` for `+`.
  const parsed = parsePhoneNumberFromString(dialled, { extract: false });
  const none = { valid: false, format: null, type: null };
  if (parsed === undefined) {
    const invalidReason = dialled.startsWith('+')
      ? 'It is not a number of any numbering plan.'
      : 'Without an international prefix (+ and country code) the country is unknown.';
    return { ...none, country: null, callingCode: null, invalidReason };
  }
  const country = parsed.country ?? null;
  const callingCode = parsed.countryCallingCode;
  if (!parsed.isValid()) return { ...none, country, callingCode, invalidReason: describeInvalidNumber(parsed) };
  return {
    valid: true,
    format: { e164: parsed.number, international: parsed.formatInternational(), national: parsed.formatNational() },
    country,
    callingCode,
    type: parsed.getType()?.toLowerCase() ?? null,
    invalidReason: null,
  };
}

function describeInvalidNumber(number: PhoneNumber): string {
  return number.isPossible()
    ? 'Its length is right, but no number of its country begins with these digits.'
    : 'It is too short or too long for its country.';
}

/** One day in winter and one in summer: zones that agree on both have the same time all year. */
const SAMPLE_DAYS_MS = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];

/** The IANA time zone of a country that has the same time everywhere; null for other countries. */
export function countryTimeZone(country: string): string | null {
  const zones = new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  const times = new Set(zones.map((zone) => SAMPLE_DAYS_MS.map((day) => localTime(day, zone)).join()));
  return times.size === 1 ? zones[0]! : null;
}

function localTime(day: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(day);
}

/** English name of an ISO 3166-1 country. */
export function countryName(country: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;
}
