import { NextResponse } from 'next/server';
import knex from 'knex';

const db = knex({ client: 'pg', connection: process.env.DATABASE_URL });
const ORDERINGS = ['price ASC', 'price DESC', 'created_at DESC'];

function* attributes(params) {
  for (const [key, value] of params) {
    if (key.startsWith('attr.')) {
      yield [key.slice('attr.'.length), value];
    }
  }
}

export async function GET(request) {
  const { searchParams } = new URL(request.url);
  const query = db('products').select('id', 'title', 'price').limit(60);
  for (const [name, value] of attributes(searchParams)) {
    query.whereRaw(`attributes->>'${name}' = ?`, [value]);
  }
  const wanted = searchParams.get('order');
  const ordering = ORDERINGS.includes(wanted) ? wanted : 'id ASC';
  query.orderByRaw(`${ordering} NULLS LAST`);
  return NextResponse.json(await query);
}

export async function PATCH(request) {
  const { ids, flagged } = await request.json();
  const list = ids.map(Number).join(',');
  const result = await db.raw(
    `UPDATE products SET flagged = ${flagged ? 'TRUE' : 'FALSE'} WHERE id IN (${list})`,
  );
  return NextResponse.json({ updated: result.rowCount });
}

function clean(text) {
  return text.replace(/"/g, '').replace(/\s+/g, ' ').slice(0, 200);
}

export async function DELETE(request) {
  const { sku, reason = 'unspecified' } = await request.json();
  await db.transaction(async (trx) => {
    await trx.raw('DELETE FROM products WHERE ?? = ?', ['sku', String(sku)]);
    await trx.raw(`INSERT INTO audit (action, reason) VALUES ('delete', '${clean(reason)}')`);
  });
  return new NextResponse(null, { status: 204 });
}
