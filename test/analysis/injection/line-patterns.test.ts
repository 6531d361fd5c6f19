import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findByPatterns } from '../../../src/analysis/injection/line-patterns.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const typesIn = (code: string): string[] => findByPatterns(code).findings.map(({ id }) => id);

describe('line patterns, for languages without a grammar here', () => {
  for (const [language, line, type] of [
    ['kotlin', 'db.rawQuery("SELECT * FROM users WHERE name = \'$name\'", null)', 'sql_injection'],
    ['kotlin', 'Runtime.getRuntime().exec("ping ${host}")', 'command_injection'],
    ['rust', 'let q = format!("SELECT * FROM users WHERE name = \'{}\'", name);', 'sql_injection'],
    ['rust', 'Command::new("sh").arg("-c").arg(format!("ls {}", dir));', 'command_injection'],
    ['scala', 'stmt.executeQuery("select * from users where id = " + id)', 'sql_injection'],
    ['swift', 'db.execute("DELETE FROM users WHERE id = \\(id)")', 'sql_injection'],
    ['lua', 'os.execute("rm " .. name)', 'command_injection'],
    ['lua', 'conn:execute("SELECT * FROM t WHERE a = \'" .. a .. "\'")', 'sql_injection'],
    ['perl', 'my $sth = $dbh->prepare("SELECT * FROM t WHERE a = \'$a\'");', 'sql_injection'],
    ['perl', 'system("ls $dir");', 'command_injection'],
    ['c', 'sprintf(query, "SELECT * FROM t WHERE a = \'%s\'", a);', 'sql_injection'],
    ['vb', 'cmd = "SELECT * FROM t WHERE a = \'" & a & "\'"', 'sql_injection'],
    ['groovy', 'new File("/srv/" + params.name)', 'path_traversal'],
  ] as const) {
    test(`${language}: ${line}`, () => assert.deepEqual(typesIn(line), [type]));
  }

  for (const [language, line] of [
    ['kotlin', 'db.rawQuery("SELECT * FROM users WHERE name = ?", arrayOf(name))'],
    ['rust', 'sqlx::query("SELECT * FROM users WHERE name = $1").bind(name)'],
    ['rust', 'Command::new("ls").arg(dir);'],
    ['scala', 'sql"select * from users where id = ${id}"'],
    ['lua', 'os.execute("uptime")'],
    ['perl', 'my $sth = $dbh->prepare("SELECT * FROM t WHERE a = ?");'],
    ['c', 'printf("selected %s from the list", a);'],
    ['c', '// query = "SELECT * FROM t WHERE a = " + a'],
    ['any', 'log("cannot select " + name)'],
    ['any', 'open("data.txt")'],
    ['any', 'system("ls")'],
  ] as const) {
    // Scala's interpolator binds its values; no line tells it from one that does not.
    const expected = language === 'scala' ? ['sql_injection'] : [];
    test(`${language}: ${line}`, () => assert.deepEqual(typesIn(line), expected));
  }

  test('line, place and what it rests on', () => {
    const [finding] = findByPatterns('fn a() {\n  exec("ls ${dir}")\n}').findings;
    assert.deepEqual([finding?.line, finding?.column, finding?.severity], [2, 3, 'MEDIUM']);
    assert.match(finding!.description, /Found by a pattern, not by following values\.$/);
  });

  test('long lines and very many lines are said to be cut', () => {
    assert.deepEqual(findByPatterns('x'.repeat(5000)).gaps, [
      'of lines longer than 2,000 characters, only so much was read',
    ]);
    assert.match(findByPatterns('\n'.repeat(200_000)).gaps[0]!, /^only the first 100,000 lines/);
  });
});

test('no pattern is slow on half a megabyte of what is worst for it', (t) => {
  const worst = [
    '"select ',
    '"select a from ',
    '"update a set ',
    'select from ',
    'format("select ',
    'sprintf(',
    'system("$',
    'system("${a',
    'exec("a" + ',
    '"sh""-c"',
    '"sh" "-c" ',
    'open(request',
    'open( input ',
    '"insert into "',
    '#{',
    '\\(',
    '" select * from a where b = ',
  ];
  for (const piece of worst) {
    for (const line of [piece.repeat(Math.ceil(2000 / piece.length)).slice(0, 1999), piece]) {
      const code = `${line}\n`.repeat(Math.ceil((512 * 1024) / (line.length + 1)));
      const started = cpuMs();
      findByPatterns(code);
      const taken = cpuMs() - started;
      t.diagnostic(`${JSON.stringify(piece)}: ${taken.toFixed(0)} ms`);
      assert.ok(taken < 7500, `${JSON.stringify(piece)} took ${taken.toFixed(0)} ms`);
    }
  }
});
