import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DateOrder, parseRegistryDate } from '../../../src/analysis/whois/registry-dates.ts';

describe('dates as registries write them', () => {
  for (const [text, expected] of [
    ['2011-03-30T19:36:27+02:00', '2011-03-30T17:36:27Z'],
    ['2019-09-09T15:39:04.000+0000', '2019-09-09T15:39:04Z'],
    ['2004-08-30T22:55:00Z', '2004-08-30T22:55:00Z'],
    ['2021-12-09 12:30:05 (UTC+8)', '2021-12-09T04:30:05Z'],
    ['2013/07/08 16:50:07 (JST)', '2013-07-08T07:50:07Z'],
    ['18 Apr 2003 00:00 EAT', '2003-04-17T21:00:00Z'],
    ['Wed Mar 25 01:57:22 PDT 2009', '2009-03-25T08:57:22Z'],
    ['2009-12-25 20:11:55', '2009-12-25T20:11:55Z'],
    ['20110426 17:57:27', '2011-04-26T17:57:27Z'],
    ['19990518 #162310', '1999-05-18'],
    ['2007. 03. 02.', '2007-03-02'],
    ['2001-Aug-23.', '2001-08-23'],
    ['21-March-2002', '2002-03-21'],
    ['2nd April, 2001', '2001-04-02'],
    ['Monday 16th Jun 2014', '2014-06-16'],
    ['Tue Dec 12 2000', '2000-12-12'],
    ['23 de agosto de 2012', '2012-08-23'],
    ['16/09/03', '2003-09-16'],
    ['10.03.2008', '2008-03-10'],
    ['1/1/99', '1999-01-01'],
    // A zone that nobody knows: the day is left.
    ['2009-11-10 14:06:58 XYZ', '2009-11-10'],
  ] as const) {
    test(text, () => assert.equal(parseRegistryDate(text, 'day-first'), expected));
  }

  for (const [text, order, expected] of [
    ['04/06/2003', 'day-first', '2003-06-04'],
    ['04/06/2003', 'month-first', '2003-04-06'],
    // What can only be read one way is read that way.
    ['12/18/2001', 'day-first', '2001-12-18'],
    ['18/12/2001', 'month-first', '2001-12-18'],
  ] as [string, DateOrder, string][]) {
    test(`${text}, ${order}`, () => assert.equal(parseRegistryDate(text, order), expected));
  }

  for (const text of [
    '',
    '-',
    'n/a',
    'before Aug-1996',
    '0000-00-00',
    '31-02-2010',
    '2010-13-01',
    'Not Disclosed',
    '1234567890123',
  ]) {
    test(`"${text}" is none`, () => assert.equal(parseRegistryDate(text, 'day-first'), null));
  }
});
