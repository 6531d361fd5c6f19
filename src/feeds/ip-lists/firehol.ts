import { lineListFeed } from './line-list-feed.ts';

const FILE_DATE = /^This File Date\s*:\s*\w{3}\s+(\w{3})\s+(\d{1,2})\s+(\d\d:\d\d:\d\d) UTC (\d{4})$/;
const ENTRIES = /^Entries\s*:\s*(\d{1,9}) subnets/;

/**
 * FireHOL level 1: networks of attackers and networks that must not appear in routing (DShield, Feodo, Spamhaus DROP, bogons).
 * It also holds private and reserved ranges, which do not concern public addresses.
 */
export const fireholFeed = lineListFeed({
  id: 'firehol',
  title: 'FireHOL level 1',
  addresses: [
    'https://iplists.firehol.org/files/',
    'https://raw.githubusercontent.com/firehol/blocklist-ipsets/master/',
  ],
  folder: 'firehol',
  file: 'firehol_level1.netset',
  everyHours: 2,
  staleAfterDays: 14,
  readComment(text, reporter) {
    const date = FILE_DATE.exec(text);
    if (date !== null) reporter.setDataTime(new Date(`${date[2]} ${date[1]} ${date[4]} ${date[3]} UTC`).toISOString());
    const entries = ENTRIES.exec(text);
    if (entries !== null) reporter.setExpectedCount(Number(entries[1]));
  },
});
