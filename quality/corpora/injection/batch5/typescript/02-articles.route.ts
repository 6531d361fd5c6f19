import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Prisma } from '@prisma/client';
import { NextRequest, NextResponse } from 'next/server';
import { prisma } from '@/lib/prisma';

interface ArticleRow {
  id: number;
  title: string;
  createdAt: Date;
}

const UPLOADS = join(process.cwd(), 'uploads');

function ordering(name: string | null): Prisma.Sql {
  switch (name) {
    case 'title':
      return Prisma.sql`"title" ASC`;
    case 'oldest':
      return Prisma.sql`"createdAt" ASC`;
    default:
      return Prisma.sql`"createdAt" DESC`;
  }
}

export async function GET(request: NextRequest) {
  const { searchParams } = request.nextUrl;
  const q = searchParams.get('q') ?? '';
  const order = ordering(searchParams.get('sort'));

  const articles = await prisma.$queryRaw<ArticleRow[]>`SELECT id, title, "createdAt" FROM "Article" WHERE title ILIKE ${'%' + q + '%'} ORDER BY ${order} LIMIT 20`;

  const facet = searchParams.get('facet') || 'category';
  const facets = await prisma.$queryRawUnsafe<{ value: string; count: bigint }[]>(
    `SELECT "${facet}" AS value, COUNT(*) AS count FROM "Article" GROUP BY 1`,
  );

  return NextResponse.json({
    articles,
    facets: facets.map(({ value, count }) => ({ value, count: Number(count) })),
  });
}

export async function POST(request: NextRequest) {
  const form = await request.formData();
  const file = form.get('cover');
  if (!(file instanceof File) || file.size > 5_000_000) {
    return NextResponse.json({ error: 'cover required' }, { status: 400 });
  }

  const bytes = Buffer.from(await file.arrayBuffer());
  const folder = String(form.get('folder') ?? 'covers');
  await writeFile(join(UPLOADS, folder, file.name), bytes);
  await prisma.$executeRawUnsafe(
    'INSERT INTO "Upload" (name, size) VALUES ($1, $2)',
    file.name,
    file.size,
  );
  return NextResponse.json({ name: file.name }, { status: 201 });
}

export async function PATCH(request: NextRequest) {
  const { ids, tags }: { ids: number[]; tags: string[] } = await request.json();
  const literal = Prisma.raw(`ARRAY[${tags.map((tag) => `'${tag}'`).join(',')}]`);
  const updated = await prisma.$executeRaw`UPDATE "Article" SET tags = ${literal} WHERE id IN (${Prisma.join(ids)})`;
  return NextResponse.json({ updated });
}
