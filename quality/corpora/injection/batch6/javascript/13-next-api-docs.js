import { execFile, exec } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const execAsync = promisify(exec);
const execFileAsync = promisify(execFile);

const CONTENT = path.join(process.cwd(), 'content');
const FORMATS = new Set(['html', 'docx', 'epub']);

async function listSlugs() {
  const names = await fs.readdir(CONTENT);
  return names.filter((n) => n.endsWith('.md')).map((n) => n.slice(0, -3));
}

async function readPage(slug) {
  const slugs = await listSlugs();
  if (!slugs.includes(slug)) {
    return null;
  }
  return fs.readFile(path.join(CONTENT, `${slug}.md`), 'utf8');
}

async function readTranslation(slug, lang) {
  const file = path.join(CONTENT, 'i18n', lang, 'pages.json');
  const pages = JSON.parse(await fs.readFile(file, 'utf8'));
  return pages[slug] ?? null;
}

async function convert(slug, format) {
  if (!FORMATS.has(format)) {
    throw new RangeError(`format ${format}`);
  }
  const slugs = await listSlugs();
  const index = slugs.indexOf(slug);
  if (index < 0) {
    throw new RangeError(`page ${slug}`);
  }
  const out = `/tmp/page-${index}.${format}`;
  await execAsync(`pandoc -t ${format} -o ${out} - < /dev/null`);
  return out;
}

async function wordCount(text, title) {
  const { stdout } = await execAsync(`printf '%s' "${title.replaceAll('"', '')}" | wc -w`);
  return { title: Number(stdout), text: text.split(/\s+/).length };
}

async function lookup(term) {
  const { stdout } = await execFileAsync('grep', ['-rl', term, CONTENT]);
  return stdout.trim().split('\n').map((f) => path.basename(f));
}

async function lookupExact(term) {
  const { stdout } = await execFileAsync('grep', ['-rlF', '-e', term, CONTENT]);
  return stdout.trim().split('\n').map((f) => path.basename(f));
}

export default async function handler(req, res) {
  const { slug, lang, format, term, exact } = req.query;
  try {
    if (term) {
      return res.json({ hits: exact ? await lookupExact(term) : await lookup(term) });
    }
    if (req.method === 'POST') {
      return res.json(await wordCount(req.body.text, req.body.title));
    }
    if (format) {
      return res.json({ file: await convert(slug, format) });
    }
    const page = lang ? await readTranslation(slug, lang) : await readPage(slug);
    return page ? res.json({ page }) : res.status(404).end();
  } catch (err) {
    return res.status(400).json({ error: err.message });
  }
}
