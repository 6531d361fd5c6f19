import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkInjectionInThisThread } from '../../../src/threads/check-injection-in-this-thread.ts';

/** A line with an injection, and the same line as the documentation of the library wants it; null: it cannot be told from the code. */
const FIXES: readonly (readonly [language: string, before: string, line: string, fixed: string | null])[] = [
  // Statements: the placeholder of the driver that is imported.
  [
    'javascript',
    "const { Client } = require('pg');\nconst client = new Client();\n",
    'app.get("/", (req) => client.query(`SELECT * FROM t WHERE a = \'${req.query.a}\' AND b = ${req.query.b}`));',
    'app.get("/", (req) => client.query("SELECT * FROM t WHERE a = $1 AND b = $2", [req.query.a, req.query.b]));',
  ],
  [
    'javascript',
    "const mysql = require('mysql2');\nconst db = mysql.createConnection();\n",
    'app.get("/", (req, res) => db.query("SELECT * FROM t WHERE a = \'" + req.query.a + "\'", (e, rows) => res.json(rows)));',
    'app.get("/", (req, res) => db.query("SELECT * FROM t WHERE a = ?", [req.query.a], (e, rows) => res.json(rows)));',
  ],
  ['javascript', '', 'app.get("/", (req) => db.query("SELECT * FROM t WHERE a = \'" + req.query.a + "\'"));', null],
  [
    'javascript',
    "require('pg');\n",
    'app.get("/", (req) => db.query(`SELECT * FROM t ORDER BY ${req.query.a}`));',
    null,
  ],
  [
    'javascript',
    "require('pg');\n",
    "app.get('/', (req) => db.query(`SELECT * FROM t WHERE a LIKE '%${req.query.a}%'`));",
    null,
  ],
  [
    'python',
    'import sqlite3\n',
    "def f(request): db.execute(f\"SELECT * FROM t WHERE a = '{request.GET['a']}'\")",
    'def f(request): db.execute("SELECT * FROM t WHERE a = ?", (request.GET[\'a\'],))',
  ],
  [
    'python',
    'import psycopg2\n',
    "def f(request): cur.execute('SELECT * FROM t WHERE a = ' + request.GET['a'])",
    'def f(request): cur.execute("SELECT * FROM t WHERE a = %s", (request.GET[\'a\'],))',
  ],
  [
    'java',
    '',
    'Object f(@RequestParam String a) { return jdbcTemplate.queryForList("SELECT * FROM t WHERE a = \'" + a + "\'"); }',
    'Object f(@RequestParam String a) { return jdbcTemplate.queryForList("SELECT * FROM t WHERE a = ?", a); }',
  ],
  [
    'java',
    '',
    'Object f(@RequestParam String a) { return em.createQuery("FROM T WHERE a = \'" + a + "\'").getResultList(); }',
    'Object f(@RequestParam String a) { return em.createQuery("FROM T WHERE a = ?1").setParameter(1, a).getResultList(); }',
  ],
  [
    'php',
    '',
    "mysqli_query($db, \"SELECT * FROM t WHERE a = '{$_GET['a']}'\");",
    'mysqli_execute_query($db, "SELECT * FROM t WHERE a = ?", [$_GET[\'a\']]);',
  ],
  ['php', '', 'mysqli_query($db, "SELECT * FROM t WHERE a = \'$_GET[a]\'");', null],
  [
    'go',
    'package main\nimport _ "github.com/lib/pq"\n',
    'func f(r *http.Request) { db.Query("SELECT a FROM t WHERE b = \'" + r.FormValue("b") + "\'") }',
    'func f(r *http.Request) { db.Query("SELECT a FROM t WHERE b = $1", r.FormValue("b")) }',
  ],
  ['ruby', '', 'User.where("name = \'#{params[:a]}\'")', 'User.where("name = ?", params[:a])'],
  ['ruby', '', 'User.order("name #{params[:a]}")', null],
  [
    'csharp',
    '',
    'app.MapGet("/", (string a) => connection.Query($"SELECT * FROM t WHERE a = \'{a}\'"));',
    'app.MapGet("/", (string a) => connection.Query("SELECT * FROM t WHERE a = @p0", new { p0 = a }));',
  ],
  // Commands: program and arguments apart, or one word of the shell.
  [
    'javascript',
    "const { exec, execFile } = require('child_process');\n",
    "app.get('/', (req) => exec('ping -c 1 ' + req.query.a, done));",
    'app.get(\'/\', (req) => execFile("ping", ["-c", "1", req.query.a], done));',
  ],
  [
    'javascript',
    "const { exec, execFile } = require('child_process');\n",
    "app.get('/', (req) => exec('cat ' + req.query.a + ' | wc', done));",
    null,
  ],
  [
    'javascript',
    "const { exec, execFile } = require('child_process');\n",
    "app.get('/', (req) => exec('cat /srv/' + req.query.a, done));",
    null,
  ],
  [
    'python',
    'import subprocess\n',
    "def f(request): subprocess.run('ping ' + request.GET['a'], shell=True)",
    'def f(request): subprocess.run(["ping", request.GET[\'a\']], shell=False)',
  ],
  [
    'java',
    '',
    'void f(@RequestParam String a) { new ProcessBuilder("sh", "-c", "ping " + a).start(); }',
    'void f(@RequestParam String a) { new ProcessBuilder("ping", a).start(); }',
  ],
  [
    'go',
    'package main\n',
    'func f(r *http.Request) { exec.Command("sh", "-c", "ping "+r.FormValue("a")).Run() }',
    'func f(r *http.Request) { exec.Command("ping", r.FormValue("a")).Run() }',
  ],
  ['ruby', '', 'system("ping #{params[:a]}")', 'system("ping", params[:a])'],
  ['ruby', '', 'IO.popen("ping #{params[:a]}")', null],
  ['php', '', "system('ping ' . $_GET['a']);", "system('ping ' . escapeshellarg($_GET['a']));"],
  // Arguments that may be options: what ends the options goes before them.
  [
    'javascript',
    "const { execFile } = require('child_process');\n",
    "app.get('/', (req) => execFile('wget', ['-q', req.query.a], done));",
    "app.get('/', (req) => execFile('wget', ['-q', \"--\", req.query.a], done));",
  ],
  [
    'python',
    'import subprocess\n',
    "def f(request): subprocess.run(['git', 'log', request.GET['a']])",
    "def f(request): subprocess.run(['git', 'log', \"--end-of-options\", request.GET['a']])",
  ],
  [
    'go',
    'package main\n',
    'func f(r *http.Request) { exec.Command("ssh", r.FormValue("a"), "uptime").Run() }',
    'func f(r *http.Request) { exec.Command("ssh", "--", r.FormValue("a"), "uptime").Run() }',
  ],
  [
    'javascript',
    "const { execFile } = require('child_process');\n",
    "app.get('/', (req) => execFile('find', [req.query.a, '-type', 'f'], done));",
    null,
  ],
  // Paths: the last part of the name, where the folder is written beside it.
  [
    'python',
    'import os\n',
    "def f(request): open(os.path.join(ROOT, request.GET['a']))",
    "def f(request): open(os.path.join(ROOT, os.path.basename(request.GET['a'])))",
  ],
  ['python', 'import os\n', "def f(request): open(request.GET['a'])", null],
  [
    'javascript',
    "const path = require('path');\n",
    "app.get('/', (req, res) => res.sendFile(path.join(ROOT, req.query.a)));",
    "app.get('/', (req, res) => res.sendFile(path.join(ROOT, path.basename(req.query.a))));",
  ],
  ['php', '', 'readfile("/srv/$_GET[a]");', null],
  [
    'csharp',
    '',
    'app.MapGet("/", (string a) => File.ReadAllText($"/srv/{a}"));',
    'app.MapGet("/", (string a) => File.ReadAllText($"/srv/{System.IO.Path.GetFileName(a)}"));',
  ],
];

describe('the mended line', () => {
  for (const [language, before, line, fixed] of FIXES) {
    test(`${language}: ${line}`, async () => {
      const { findings } = await checkInjectionInThisThread({ code: before + line, language });
      // A command that is started later is a finding there as well, without a fix of its own.
      assert.deepEqual(findings[0]?.fix, fixed);
      if (fixed === null) return;
      const mended = await checkInjectionInThisThread({ code: before + fixed, language });
      assert.deepEqual([mended.findings, mended.parse_errors], [[], 0], 'the mended line has no finding');
    });
  }
});

test('the path of a finding goes from its source through variables and parameters to the sink', async () => {
  const code = [
    'def find(name):',
    '    statement = "SELECT * FROM t WHERE a = \'" + name + "\'"',
    '    return cursor.execute(statement)',
    '',
    'def view(request):',
    "    wanted = request.GET['a']",
    '    return find(wanted)',
  ].join('\n');
  const { findings } = await checkInjectionInThisThread({ code, language: 'python' });
  assert.deepEqual(
    findings.map(({ path }) => path.map(({ line }) => line)),
    [[6, 1, 2, 3]],
  );
  assert.equal(findings[0]?.path[0]?.text, "wanted = request.GET['a']");
});
