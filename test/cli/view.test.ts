import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { answerLines } from '../../src/cli/answer-view.ts';
import { toPrintableJson } from '../../src/cli/output.ts';
import { renderTable } from '../../src/cli/table.ts';
import { formatAge } from '../../src/engine/summary.ts';
import { formatBytes, truncateText, wrapText } from '../../src/cli/terminal-text.ts';
import { recordLines } from '../../src/cli/record-view.ts';

const options = (width: number) => ({ width, view: null, all: false });

const plain = (lines: string[]): string[] => lines.map((line) => stripVTControlCharacters(line).trimEnd());

/** Takes away no other escapes than those of colour and weight. */
function withoutOurColours(line: string): string {
  return line.replace(/\p{Cc}\[[\d;]*m/gu, '');
}

describe('text in columns', () => {
  it('counts what a terminal shows', () => {
    assert.equal(stringWidth('abc'), 3);
    assert.equal(stringWidth('日本'), 4);
    assert.equal(stringWidth('e\u0301'), 1);
    assert.equal(stringWidth('👩‍💻'), 2);
    assert.equal(stringWidth('ｶﾅ'), 2, 'half-width forms take one column each');
  });

  it('is cut with an ellipsis and wrapped between words', () => {
    assert.equal(truncateText('abcdef', 6), 'abcdef');
    assert.equal(truncateText('abcdefg', 6), 'abcde…');
    assert.equal(truncateText('日本語', 5), '日本…');
    assert.deepEqual(wrapText('one two three\nfour', 8), ['one two', 'three', 'four']);
    assert.deepEqual(wrapText('http://example.com/long', 8), ['http://example.com/long']);
  });

  it('says sizes and ages in words', () => {
    assert.equal(formatBytes(999), '999 B');
    assert.equal(formatBytes(12_345_678), '12.3 MB');
    assert.equal(formatBytes(999_960), '1.0 MB');
    assert.equal(formatAge(1), '1 second');
    assert.equal(formatAge(36 * 3600), '36 hours');
    assert.equal(formatAge(3 * 86_400), '3 days');
  });
});

describe('a table', () => {
  const columns = ['id', 'severity', 'first seen at', 'product'].map((title) => ({ title }));
  const rows = [
    ['CVE-2024-11111', 'HIGH', '2024-01-02', 'a product with a very long name that goes on and on'],
    ['CVE-2024-2222222', 'LOW', '2024-01-02', 'short'],
  ];

  it('has a column for each, where there is room', () => {
    assert.deepEqual(plain(renderTable(columns, rows, 200)), [
      'id                severity  first seen at  product',
      'CVE-2024-11111    HIGH      2024-01-02     a product with a very long name that goes on and on',
      'CVE-2024-2222222  LOW       2024-01-02     short',
    ]);
  });

  it('stays within any width, its first column whole, and names what it leaves out', () => {
    for (let width = 16; width < 120; width++) {
      const lines = plain(renderTable(columns, rows, width));
      for (const line of lines) assert.ok(stringWidth(line) <= width, `${width}: ${line}`);
      assert.ok(lines.some((line) => line.startsWith('CVE-2024-2222222')));
      if (!lines.join().includes('HIGH')) assert.match(lines.join(' '), /not shown at this width:.*severity/);
    }
  });

  it('wraps the cells that ask for it', () => {
    const lines = plain(
      renderTable([{ title: 'a' }, { title: 'b', wrap: true }], [['x', 'one two three four five six seven']], 31),
    );
    assert.deepEqual(lines, ['a  b', 'x  one two three four five six', '   seven']);
  });

  it('breaks a word that is wider than its column, by columns and not by characters', () => {
    const columns = [{ title: 'a' }, { title: 'b', wrap: true }, { title: 'c' }];
    const lines = plain(renderTable(columns, [['x', '日'.repeat(30), 'end']], 36));
    assert.deepEqual(lines.slice(1), [`x  ${'日'.repeat(14)}  end`, `   ${'日'.repeat(14)}`, `   ${'日'.repeat(2)}`]);
  });
});

describe('a record', () => {
  it('has its single facts first, then lists as tables', () => {
    const record = {
      rows: [
        { id: 1, mark: { in_mark: true, since: null } },
        { id: 22, mark: { in_mark: false, since: '2024-01-02T03:04:05Z' } },
      ],
      cve_id: 'CVE-2024-11111',
      known: null,
      found: '2024-01-02T03:04:05.678Z',
      tags: [],
      words: ['a', 'b'],
    };
    assert.deepEqual(plain(recordLines(record, 80)), [
      'cve id  CVE-2024-11111',
      'known   -',
      'found   2024-01-02 03:04Z',
      'tags    none',
      'words   a, b',
      '',
      'rows',
      '  id  in mark  mark since',
      '   1  yes      -',
      '  22  no       2024-01-02',
    ]);
  });

  it('sets rows with long texts or lists of their own one below the other', () => {
    const prose = 'word '.repeat(40).trim();
    const lines = plain(recordLines({ items: [{ phase: 'Design', text: prose, note: null }] }, 60));
    assert.equal(lines[2], '  • phase  Design');
    assert.match(lines[3]!, /^ {4}text {3}word/);
    assert.equal(lines.join(' ').match(/word/g)?.length, 40);
    assert.doesNotMatch(lines.join(), /note/);
  });

  it('takes a map of alike things as a table by name', () => {
    const lines = plain(recordLines({ sources: { nvd: { ok: true }, kev: { ok: false } } }, 60));
    assert.deepEqual(lines.slice(2), ['  name  ok', '  nvd   yes', '  kev   no']);
  });
});

describe('an answer', () => {
  const verdict = {
    deterministic: true,
    falsifiable_fields: [],
    data_age_seconds: 7200,
    sources_queried: ['kev'],
    sources_unavailable: ['nvd', 'epss'],
    completeness: 'partial',
    gaps: ['nvd did not answer', 'epss did not answer', 'no score'],
  };

  it('ends with what it rests on, in one breath', () => {
    const lines = plain(answerLines({ summary: 'In short.', id: 1, verdict, next_calls: [] }, [], options(200)));
    assert.deepEqual(lines, [
      'In short.',
      '',
      'id  1',
      '',
      'from kev · data 2 hours old · partial · missing: nvd, epss did not answer; no score',
    ]);
  });

  it('joins old feeds, after what is missing of the answer itself', () => {
    const old = (feed: string, days: number) => `${feed} is ${days} days old: what came since is not in it`;
    const gaps = [old('nvd', 159), 'no score', old('kev', 1454)];
    const lines = plain(answerLines({ verdict: { ...verdict, sources_unavailable: [], gaps } }, [], options(200)));
    assert.match(
      lines.join(' '),
      /missing: no score; nvd \(159 days\), kev \(1454 days\) are old: what came since is not in it$/,
    );
  });

  it('says where a list goes on', () => {
    const page = {
      count: 2,
      total: 1234,
      offset: 0,
      next_offset: 2,
      truncated: true,
      query_echo: {},
      results: [{ id: 1 }, { id: 2 }],
    };
    assert.deepEqual(plain(answerLines(page, [], options(80))), [
      'id',
      ' 1',
      ' 2',
      '',
      'rows 1 to 2 of 1,234; go on with --offset 2',
    ]);
  });

  it('never sends a control character or a hidden one from its data to the terminal', () => {
    const evil = 'a\x1b]0;title\x07b\x1b[2Jc\u009bd\u202ee\u200bf\rg\x7f';
    const answer = {
      summary: evil,
      [evil]: evil,
      list: [{ [evil]: evil }, { [evil]: evil }],
      deep: [{ a: [{ b: [evil] }] }],
      words: [evil],
      map: { [evil]: { x: evil } },
      verdict: { ...verdict, gaps: [evil] },
    };
    const hidden = /[[\p{Cc}\u200b\u202e]--[\n]]/v;
    for (const width of [20, 80, 1000]) {
      for (const line of answerLines(answer, [], { ...options(width), all: width === 80 }))
        assert.doesNotMatch(withoutOurColours(line), hidden);
    }
    const json = toPrintableJson(answer);
    assert.doesNotMatch(json, hidden);
    assert.deepEqual(JSON.parse(json), answer);
  });
});
