const { ApolloServer } = require('@apollo/server');
const { startStandaloneServer } = require('@apollo/server/standalone');
const format = require('pg-format');
const { Pool } = require('pg');

const pool = new Pool();

const typeDefs = `#graphql
  type Book { id: ID! title: String! year: Int }
  type Query {
    books(title: String!, limit: Int): [Book!]!
    shelf(sort: String!): [Book!]!
    arrivals(since: String!): [Book!]!
    top(period: String!): [Book!]!
  }
`;

class Repository {
  constructor(table) {
    this.table = table;
  }

  predicate() {
    return 'TRUE';
  }

  async find(criteria, limit = 20) {
    const sql = `SELECT * FROM ${this.table} WHERE ${this.predicate(criteria)} LIMIT ${Number(limit)}`;
    const { rows } = await pool.query(sql);
    return rows;
  }
}

class BookRepository extends Repository {
  constructor() {
    super('books');
  }

  predicate({ title }) {
    return `title ILIKE '%${title.trim()}%'`;
  }

  async shelf(sort) {
    const sql = format('SELECT id, title, year FROM books ORDER BY %I LIMIT 100', sort);
    return (await pool.query(sql)).rows;
  }

  async arrivals(since) {
    const sql = format("SELECT id, title, year FROM books WHERE arrived_on >= '%s'", since);
    return (await pool.query(sql)).rows;
  }

  async top(period) {
    let interval;
    switch (period) {
      case 'WEEK':
        interval = '7 days';
        break;
      case 'YEAR':
        interval = '1 year';
        break;
      default:
        interval = '1 month';
    }
    const sql = `SELECT b.* FROM books b JOIN loans l ON l.book_id = b.id WHERE l.at > now() - interval '${interval}'`;
    return (await pool.query(sql)).rows;
  }
}

const books = new BookRepository();
const resolvers = {
  Query: {
    books: (_parent, { title, limit }) => books.find({ title }, limit),
    shelf: (_parent, { sort }) => books.shelf(sort),
    arrivals: (_parent, { since }) => books.arrivals(since),
    top: (_parent, { period }) => books.top(period),
  },
};

startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), { listen: { port: 4000 } });
