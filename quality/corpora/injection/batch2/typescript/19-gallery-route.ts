// app/api/gallery/route.ts
import { NextRequest, NextResponse } from 'next/server';
import { promises as fs } from 'fs';
import path from 'path';

const GALLERY = path.join(process.cwd(), 'data', 'gallery');
const CAPTIONS = path.join(process.cwd(), 'data', 'captions');

export async function GET(request: NextRequest) {
  const name = request.nextUrl.searchParams.get('name');
  if (!name) {
    return NextResponse.json({ error: 'name' }, { status: 400 });
  }
  const image = await fs.readFile(path.join(GALLERY, path.basename(name)));
  return new NextResponse(image, { headers: { 'content-type': 'image/jpeg' } });
}

export async function PUT(request: NextRequest) {
  const body: { name: string; caption: string } = await request.json();
  const base = path.basename(body.name);
  await fs.writeFile(path.join(CAPTIONS, `${body.name}.txt`), body.caption, 'utf8');
  return NextResponse.json({ saved: base });
}

export function OPTIONS() {
  return new NextResponse(null, { status: 204, headers: { allow: 'GET, PUT' } });
}
