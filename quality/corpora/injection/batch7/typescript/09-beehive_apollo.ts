import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import DataLoader from 'dataloader';
import { open, Database } from 'sqlite';
import sqlite3 from 'sqlite3';

const typeDefs = `#graphql
  enum Season { SPRING SUMMER AUTUMN }
  type Hive { id: Int! name: String! queen: String weights: [Float!]! }
  input HiveFilter { apiary: String, breed: String }
  type Query {
    hives(filter: HiveFilter, first: Int = 20): [Hive!]!
    yields(season: Season!): [Float!]!
    swarms(near: String!, days: Int!): [String!]!
  }
  type Mutation { note(hive: Int!, text: String!): Int! }
`;

interface HiveRow {
  id: number;
  name: string;
  queen: string | null;
}

interface Ctx {
  db: Database;
  weights: DataLoader<number, number[]>;
}

function weightLoader(db: Database) {
  return new DataLoader<number, number[]>(async (ids) => {
    const marks = ids.map(() => '?').join(', ');
    const rows = await db.all(`SELECT hive_id, kg FROM weights WHERE hive_id IN (${marks})`, [...ids]);
    return ids.map((id) => rows.filter((r) => r.hive_id === id).map((r) => r.kg));
  });
}

const resolvers = {
  Season: { SPRING: 'spring', SUMMER: 'summer', AUTUMN: 'autumn' },

  Query: {
    hives: (_: unknown, args: { filter?: Record<string, string | null>; first: number }, { db }: Ctx) => {
      let where = '1';
      for (const [field, value] of Object.entries(args.filter ?? {})) {
        if (value !== null) where += ` AND ${field} = '${value}'`;
      }
      return db.all<HiveRow[]>(`SELECT id, name, queen FROM hives WHERE ${where} LIMIT ${args.first}`);
    },

    yields: async (_: unknown, { season }: { season: string }, { db }: Ctx) => {
      const rows = await db.all<{ kg: number }[]>(`SELECT kg FROM yields_${season} ORDER BY kg DESC`);
      return rows.map((r) => r.kg);
    },

    swarms: async (_: unknown, { near, days }: { near: string; days: number }, { db }: Ctx) => {
      const rows = await db.all<{ place: string }[]>(
        `SELECT place FROM swarms WHERE place LIKE '%' || ? || '%' AND seen > date('now', '-${days} days')`,
        near,
      );
      return rows.map((r) => r.place);
    },
  },

  Mutation: {
    note: async (_: unknown, { hive, text }: { hive: number; text: string }, { db }: Ctx) => {
      const escaped = text.replace(/"/g, '""');
      const result = await db.run(`INSERT INTO notes (hive_id, text) VALUES (${hive}, '${escaped}')`);
      return result.changes ?? 0;
    },
  },

  Hive: {
    weights: (hive: HiveRow, _: unknown, { weights }: Ctx) => weights.load(hive.id),
  },
};

const db = await open({ filename: '/var/lib/bees/hives.db', driver: sqlite3.Database });
const server = new ApolloServer<Ctx>({ typeDefs, resolvers });
await startStandaloneServer(server, { context: async () => ({ db, weights: weightLoader(db) }) });
