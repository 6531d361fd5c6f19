import knexFactory from 'knex';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';

const knex = knexFactory({ client: 'pg', connection: process.env.PG_URL });

const typeDefs = `#graphql
  type Product { id: ID! sku: String! name: String! price: Int! }
  type Stock { sku: String! quantity: Int! }
  type Query {
    products(orderBy: String, tags: [String!]): [Product!]!
    byAttribute(key: String!, value: String!): [Product!]!
    stock(skus: [String!]!): [Stock!]!
    related(id: ID!, depth: Int = 2): [Product!]!
  }
`;

function orderingFor(name) {
  const table = { PRICE_ASC: 'price ASC', PRICE_DESC: 'price DESC', NAME: 'name ASC' };
  return Object.hasOwn(table, name ?? '') ? table[name] : 'id DESC';
}

class ProductSource {
  constructor(db) {
    this.db = db;
  }

  list({ orderBy, tags = [] }) {
    const start = this.db('products')
      .select('id', 'sku', 'name', 'price')
      .orderByRaw(orderingFor(orderBy))
      .limit(100);
    return tags.reduce(
      (query, tag) => query.whereRaw(`tags @> '{"${tag}"}'`),
      start,
    );
  }

  async byAttribute(key, value) {
    const column = ['attributes', key.replaceAll('"', '')].join("->>'") + "'";
    const result = await this.db.raw(`SELECT * FROM products WHERE ${column} = ?`, [value]);
    return result.rows;
  }

  async stock(skus) {
    if (skus.length === 0) return [];
    const marks = skus.map(() => '?').join(', ');
    const sql = `SELECT sku, SUM(quantity) AS quantity FROM stock WHERE sku IN (${marks}) GROUP BY sku`;
    const result = await this.db.raw(sql, skus);
    return result.rows;
  }

  async related(id, depth) {
    const result = await this.db.raw(
      `WITH RECURSIVE r AS (
         SELECT p.*, 0 AS lvl FROM products p WHERE p.id = '${id}'
         UNION ALL SELECT p.*, lvl + 1 FROM r JOIN relations x ON x.from_id = r.id
         JOIN products p ON p.id = x.to_id WHERE lvl < ?
       ) SELECT DISTINCT id, sku, name, price FROM r`,
      [depth],
    );
    return result.rows;
  }
}

const resolvers = {
  Query: {
    products: (_, args, { products }) => products.list(args),
    byAttribute: (_, { key, value }, { products }) => products.byAttribute(key, value),
    stock: (_, { skus }, ctx) => ctx.products.stock(skus),
    related: (_, { id, depth }, ctx) => ctx.products.related(id, depth),
  },
};

const server = new ApolloServer({ typeDefs, resolvers });
await startStandaloneServer(server, {
  context: async () => ({ products: new ProductSource(knex) }),
});
