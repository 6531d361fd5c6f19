import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { askAgain } from '../support/ask-again.ts';
import { startService } from '../support/service.ts';
import { longestTurnIn } from '../support/loop-delay.ts';

/** For others, by work of this size. */
const MAX_HELD_UP_MS = 50;

const service = await startService({ after });
const LIMIT = 512 * 1024;
const ROUTE = '/v1/check/injection';

const FLASK = `@app.route("/user")
def user():
    name = request.args["name"]
    sql = "SELECT * FROM users WHERE name = '" + name + "'"
    db.execute(sql)
    os.system("echo " + name)
`;

async function check(code: string, language?: string) {
  const input = language === undefined ? { code } : { code, language };
  const { status, body } = await askAgain(() => service.post(ROUTE, input));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

describe('check_injection', () => {
  test('says where from, where to, how bad, and what to do instead; the worst first', async () => {
    const body = await check(FLASK, 'py');
    const [command, sql] = body.findings;
    assert.deepEqual(
      [command.type, command.severity, command.line, command.column],
      ['command_injection', 'CRITICAL', 6, 8],
    );
    assert.deepEqual([sql.type, sql.severity, sql.line, sql.match], ['sql_injection', 'HIGH', 5, 'db.execute(sql)']);
    assert.equal(sql.description, 'request.args["name"] (line 3) reaches db.execute (line 5).');
    assert.match(sql.remediation, /cursor\.execute\('\.\.\. WHERE id = %s', \(id,\)\)/);
    assert.match(command.remediation, /subprocess\.run\(\['ls'/);
    assert.deepEqual([body.total, body.by_severity], [2, { CRITICAL: 1, HIGH: 1, MEDIUM: 0, LOW: 0 }]);
    assert.deepEqual([body.language, body.analysis, body.parse_errors], ['python', 'syntax_tree', 0]);
    assert.match(body.summary, /^2 findings: 1 CRITICAL, 1 HIGH\. Read as python\. The worst is in line 6: command/);
    assert.deepEqual([body.verdict.completeness, body.verdict.deterministic], ['complete', true]);
  });

  test('a parameter is possible, not certain', async () => {
    const [finding] = (await check('function f(a) {\n  return db.query("SELECT * FROM t WHERE a = " + a);\n}', 'js'))
      .findings;
    assert.equal(finding.severity, 'MEDIUM');
    assert.match(finding.description, /^The parameter a \(line 1\), untrusted unless every caller checks it, reaches/);
  });

  test('without a language it is found out', async () => {
    const body = await check(FLASK);
    assert.deepEqual([body.language, body.analysis, body.total], ['python', 'syntax_tree', 2]);
  });

  test('another language is read line by line, and the answer says so', async () => {
    const body = await check('let q = format!("SELECT * FROM t WHERE a = \'{}\'", a);', 'rust');
    assert.deepEqual([body.total, body.language, body.analysis, body.parse_errors], [1, null, 'patterns', null]);
    assert.equal(body.verdict.completeness, 'partial');
    assert.match(body.verdict.gaps.join(), /no grammar here for this language/);
    assert.match(body.summary, /Read line by line/);
  });

  test('nothing found is said so, also of no code at all', async () => {
    const safe = await check('db.query("SELECT * FROM t WHERE a = $1", [req.query.a])', 'js');
    assert.deepEqual([safe.findings, safe.total, safe.summary], [[], 0, 'No injection found. Read as javascript.']);
    assert.deepEqual((await check('')).findings, []);
  });

  test('code with errors is read as far as it goes', async () => {
    const body = await check(`${FLASK}\ndef (:\n`, 'python');
    assert.equal(body.total, 2);
    assert.ok(body.parse_errors > 0);
    assert.match(body.verdict.gaps.join(), /parts of the code could not be parsed \(line 8/);
    assert.equal(body.verdict.completeness, 'partial');
  });

  test('a value that goes through code that is not there is a finding, and makes the answer partial', async () => {
    const code =
      'void doGet(HttpServletRequest request, HttpServletResponse response) {\n' +
      '  String name = request.getParameter("name");\n' +
      '  String clean = helper.process(name);\n' +
      '  statement.executeQuery("SELECT * FROM t WHERE a = \'" + clean + "\'");\n' +
      '}\n';
    const body = await check(code, 'java');
    assert.deepEqual([body.total, body.findings[0].line, body.verdict.completeness], [1, 4, 'partial']);
    assert.deepEqual(body.verdict.gaps, [
      'request.getParameter("name") (line 2) enters helper.process (line 3), which is not followed',
    ]);
    assert.match(body.summary, /Read as java\. 1 flow was not followed\./);
  });

  test('of many such places, the first are named and the others counted', async () => {
    const lines = Array.from({ length: 9 }, (_, at) => `    store.keep_${at}(request.args["a"])\n`);
    const body = await check(`@app.route("/")\ndef view():\n${lines.join('')}`, 'python');
    assert.equal(body.verdict.gaps.length, 6);
    assert.match(
      body.verdict.gaps[0],
      /^request\.args\["a"\] \(line 3\) enters store\.keep_0 \(line 3\), which is not followed$/,
    );
    assert.equal(body.verdict.gaps[5], 'at 4 more places a value enters what is not followed');
    assert.match(body.summary, /9 flows were not followed\.$/);
  });

  test('of very many, the first are listed and all are counted', async () => {
    const body = await check('def f(a):\n' + '    os.system("ls " + a)\n'.repeat(300), 'python');
    assert.deepEqual([body.findings.length, body.total, body.by_severity.MEDIUM], [200, 300, 300]);
    assert.match(body.summary, /The first 200 are listed\.$/);
  });
});

describe('bad input', () => {
  test('code over 512 KiB of UTF-8 is 413', async () => {
    for (const code of ['a'.repeat(LIMIT + 1), 'ä'.repeat(LIMIT / 2 + 1)]) {
      const { status, body } = await service.post(ROUTE, { code });
      assert.deepEqual([status, body.error.code], [413, 'body_too_large']);
    }
    assert.equal((await service.post(ROUTE, { code: 'a'.repeat(LIMIT) })).status, 200);
  });

  test('what is no code, or no text, is 422', async () => {
    for (const body of [
      {},
      { code: 7 },
      { code: null },
      { code: 'x', language: 'l'.repeat(257) },
      { code: 'x', a: 1 },
    ]) {
      assert.equal((await service.post(ROUTE, body)).status, 422, JSON.stringify(body));
    }
  });

  test('what is shown of the code has no character without a shape', async () => {
    const { findings } = await check('def f(a):\n    os.system("\u202e\u200b\u0007ls \ud800" + a)\n', 'python');
    assert.match(findings[0].match, /^[\x20-\x7e]*$/);
  });

  test('the code is not in the log', async () => {
    await check('os.system("marker-7391 " + input())', 'python');
    assert.ok(!service.logLines().some((line) => line.includes('marker-7391')));
  });
});

test('512 KiB of code holds nobody else up for 50 ms', async (t) => {
  const code = FLASK.repeat(Math.floor(LIMIT / FLASK.length));
  await check(FLASK, 'python');
  const worst = await longestTurnIn(async () => {
    const { total } = await check(code, 'python');
    assert.equal(total, 2 * Math.floor(LIMIT / FLASK.length));
  }, MAX_HELD_UP_MS);
  t.diagnostic(`event loop held up for at most ${worst.toFixed(1)} ms`);
  assert.ok(worst < MAX_HELD_UP_MS, `held up for ${worst.toFixed(0)} ms`);
});
