import { endoflifeFeed } from '../../src/feeds/endoflife/endoflife.ts';
import { parseFeed } from './parse-feed.ts';

const release = (name: string, isEol: boolean, eolFrom: string | null, latest: string | null = null) => ({
  name,
  releaseDate: '2020-01-01',
  isEol,
  eolFrom,
  latest: latest === null ? null : { name: latest },
});

/** Some products of endoflife.date, with the days that it publishes. */
export const ENDOFLIFE = {
  schema_version: '1.2.1',
  generated_at: '2026-01-10T00:00:00+00:00',
  total: 3,
  result: [
    {
      name: 'log4j',
      label: 'Apache Log4j',
      aliases: ['apache-log4j'],
      identifiers: [
        { type: 'cpe', id: 'cpe:/a:apache:log4j' },
        { type: 'cpe', id: 'cpe:2.3:a:apache:log4j' },
        { type: 'purl', id: 'pkg:maven/org.apache.logging.log4j/log4j-core' },
        { type: 'repology', id: 'log4j' },
      ],
      links: { html: 'https://endoflife.date/log4j' },
      releases: [
        release('2', false, null, '2.26.1'),
        release('2.12', true, '2021-12-14', '2.12.4'),
        release('1', true, '2015-10-15', '1.2.17'),
      ],
    },
    {
      name: 'django',
      label: 'Django',
      aliases: [],
      identifiers: [
        { type: 'cpe', id: 'cpe:2.3:a:djangoproject:django' },
        { type: 'purl', id: 'pkg:pypi/django' },
      ],
      links: { html: 'https://endoflife.date/django' },
      releases: [
        release('6.0', false, '2027-04-30'),
        release('3.2', true, '2024-04-01', '3.2.25'),
        release('1.11', true, null),
      ],
    },
    {
      name: 'php',
      label: 'PHP',
      aliases: [],
      identifiers: [{ type: 'cpe', id: 'cpe:2.3:a:php:php' }],
      links: { html: 'https://endoflife.date/php' },
      releases: [release('8.4', false, '2028-12-31'), release('5.6', true, '2018-12-31', '5.6.40')],
    },
  ],
};

export const ENDOFLIFE_ENTRIES = (await parseFeed(endoflifeFeed, Buffer.from(JSON.stringify(ENDOFLIFE)))).entries;
