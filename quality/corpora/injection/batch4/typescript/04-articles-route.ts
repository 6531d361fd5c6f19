import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NextResponse, type NextRequest } from 'next/server';
import { z } from 'zod';

export const runtime = 'nodejs';

const CONTENT = path.join(process.cwd(), 'content');
const ASSETS = path.join(process.cwd(), 'public', 'assets');

const ArticleQuery = z.object({
  locale: z.enum(['en', 'de', 'fr']),
  slug: z.string().regex(/^[a-z0-9-]+$/),
  layout: z.string().min(1).max(64).default('article.html'),
});

const Draft = z.object({
  title: z.string().min(3),
  body: z.string(),
});

function slugify(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, 80);
}

export async function GET(request: NextRequest): Promise<NextResponse> {
  const parsed = ArticleQuery.safeParse(Object.fromEntries(request.nextUrl.searchParams));
  if (!parsed.success) {
    return NextResponse.json({ issues: parsed.error.issues }, { status: 400 });
  }
  const { locale, slug, layout } = parsed.data;
  const article = await readFile(path.join(CONTENT, locale, `${slug}.md`), 'utf8');
  const frame = await readFile(path.join(CONTENT, 'layouts', layout), 'utf8');
  return new NextResponse(frame.replace('{{body}}', () => article), {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

export async function POST(request: NextRequest): Promise<NextResponse> {
  const draft = Draft.parse(await request.json());
  const slug = slugify(draft.title);
  await writeFile(path.join(CONTENT, 'drafts', `${slug}.md`), `# ${draft.title}\n\n${draft.body}\n`);
  return NextResponse.json({ slug }, { status: 201 });
}

export async function DELETE(request: NextRequest): Promise<NextResponse> {
  const encoded = request.nextUrl.searchParams.get('draft') ?? '';
  const name = decodeURIComponent(path.basename(encoded));
  await rm(path.join(CONTENT, 'drafts', name));
  return new NextResponse(null, { status: 204 });
}

export async function PUT(request: NextRequest): Promise<NextResponse> {
  const form = await request.formData();
  const saved: string[] = [];
  for (const part of form.getAll('asset')) {
    if (!(part instanceof File) || !part.type.startsWith('image/')) {
      continue;
    }
    const target = path.join(ASSETS, part.name);
    await writeFile(target, Buffer.from(await part.arrayBuffer()));
    saved.push(part.name);
  }
  return NextResponse.json({ saved });
}
