import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import mysql, { RowDataPacket } from 'mysql2/promise';

const pool = mysql.createPool(process.env.CLINIC_DB ?? 'mysql://localhost/clinic');

const typeDefs = `#graphql
  enum VisitOrder { DATE DOCTOR }
  type Visit { id: ID!, day: String!, doctor: String! }
  type Patient { id: ID!, name: String! }
  type Query {
    visits(order: VisitOrder!, take: Int = 20): [Visit!]!
    patients(order: String, name: String): [Patient!]!
    patient(id: ID!): Patient
    patientsOf(doctor: String!, ward: String!): [Patient!]!
  }
  type Mutation {
    discharge(id: ID!, reason: String!): Boolean!
  }
`;

const ORDER: Record<string, string> = { DATE: 'day DESC', DOCTOR: 'doctor' };

async function select(sql: string, values: unknown[] = []): Promise<RowDataPacket[]> {
  const [rows] = await pool.query<RowDataPacket[]>(sql, values);
  return rows;
}

const resolvers = {
  Query: {
    visits: (_: unknown, { order, take }: { order: string; take: number }) =>
      select(`SELECT id, day, doctor FROM visits ORDER BY ${ORDER[order]} LIMIT ${take}`),

    patients: (_: unknown, { order, name }: { order?: string; name?: string }) => {
      const values: unknown[] = [];
      let sql = 'SELECT id, name FROM patients';
      if (name) {
        sql += ' WHERE name LIKE ?';
        values.push(`${name}%`);
      }
      if (order) {
        sql += ` ORDER BY ${order}`;
      }
      return select(sql, values);
    },

    patient: async (_: unknown, { id }: { id: string }) => {
      const number = Number(id);
      if (!Number.isInteger(number)) {
        return null;
      }
      const [row] = await select(`SELECT id, name FROM patients WHERE id = ${number}`);
      return row ?? null;
    },

    patientsOf: async (_: unknown, args: { doctor: string; ward: string }) => {
      const connection = await pool.getConnection();
      try {
        const [rows] = await connection.execute('SELECT id, name FROM patients WHERE doctor = ? AND ward = ?', [
          args.doctor,
          args.ward,
        ]);
        return rows;
      } finally {
        connection.release();
      }
    },
  },

  Mutation: {
    discharge: async (_: unknown, { id, reason }: { id: string; reason: string }) => {
      const text = reason.split("'").join("\\'");
      await pool.query(`UPDATE patients SET reason = '${text}' WHERE id = ?`, [id]);
      return true;
    },
  },
};

const server = new ApolloServer({ typeDefs, resolvers });
startStandaloneServer(server, { listen: { port: 4109 } });
