import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours carry meaning, and always stand beside the word that they colour. */
const WORD_STYLES: Readonly<Record<string, Style>> = {
  CRITICAL: ['bold', 'red'],
  HIGH: 'red',
  MEDIUM: 'yellow',
  LOW: 'green',
  critical: ['bold', 'red'],
  high: 'red',
  medium: 'yellow',
  low: 'green',
  affected: 'red',
  'not affected': 'green',
  stale: 'yellow',
  error: 'yellow',
  '-': 'dim',
};
const ALARM: Style = ['bold', 'inverse', 'red'];
const ALARM_WORDS = /\bKNOWN EXPLOITED\b/g;
const SEVERITY_WORDS = /\b(?:CRITICAL|HIGH|MEDIUM|LOW)\b/g;
/** Letters from A to F: what fails is red. */
const GRADES: Readonly<Record<string, Style>> = { A: 'green', B: 'green', C: 'yellow', D: 'red', E: 'red', F: 'red' };
const GRADE = /\bgrade ([A-F])[+-]?(?![\w])/g;

/** A value that is one of the words with a meaning, with blanks around it or not, in its colour; any other as it is. */
export function styleValue(text: string): string {
  const style = WORD_STYLES[text.trim()];
  return style === undefined ? text : styleText(style, text);
}

/** A statement in our own words, with its severities, grades and the mark of known exploitation in their colours. */
export function styleVerdict(text: string): string {
  return text
    .replace(ALARM_WORDS, styleAlarm)
    .replace(SEVERITY_WORDS, (word) => styleText(WORD_STYLES[word]!, word))
    .replace(GRADE, (words, letter: string) => styleText(GRADES[letter]!, words));
}

/** The loudest mark: known to be exploited. Blanks around it stay plain. */
export function styleAlarm(text: string): string {
  const words = text.trim();
  return words === '' || words === '-' || words === 'no' ? text : text.replace(words, () => styleText(ALARM, words));
}
