import { Pool } from 'pg';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';

type Interval = '1m' | '5m' | '1h';

type Message =
  | { kind: 'lookup'; symbol: string }
  | { kind: 'candles'; symbol: string; interval: Interval }
  | { kind: 'range'; symbol: string; interval: Interval; days: number }
  | { kind: 'subscribe'; symbol: string }
  | { kind: 'alert'; symbol: string; price: number };

const pool = new Pool();

function parse(raw: RawData): Message {
  return JSON.parse(raw.toString()) as Message;
}

function escapeText(text: string): string {
  return text.replace(/'/g, "\\'");
}

function tableFor(interval: Interval): string {
  switch (interval) {
    case '1m':
      return 'candles_1m';
    case '5m':
      return 'candles_5m';
    case '1h':
      return 'candles_1h';
    default:
      throw new RangeError('interval');
  }
}

async function answer(message: Message): Promise<unknown> {
  switch (message.kind) {
    case 'lookup': {
      const config = { text: 'SELECT name, last FROM instruments WHERE symbol = $1', values: [message.symbol] };
      return (await pool.query(config)).rows;
    }
    case 'candles': {
      const { symbol, interval } = message;
      const sql = `SELECT at, open, close FROM candles_${interval} WHERE symbol = $1 LIMIT 500`;
      return (await pool.query(sql, [symbol])).rows;
    }
    case 'range': {
      const days = Math.max(1, Math.floor(Number(message.days)));
      const sql = `SELECT max(high), min(low) FROM ${tableFor(message.interval)} `
        + `WHERE symbol = $1 AND at > now() - interval '${days} days'`;
      return (await pool.query(sql, [message.symbol])).rows[0];
    }
    case 'subscribe': {
      const channel = ['quotes', message.symbol.toUpperCase()].join('_');
      await pool.query(`LISTEN "${channel}"`);
      return { channel };
    }
    case 'alert': {
      const values = `'${escapeText(message.symbol)}', ${Number(message.price)}`;
      const result = await pool.query(`INSERT INTO alerts (symbol, price) VALUES (${values}) RETURNING id`);
      return result.rows[0];
    }
  }
}

const server = new WebSocketServer({ port: 7070 });

server.on('connection', (socket: WebSocket) => {
  socket.on('message', (raw) => {
    answer(parse(raw))
      .then((data) => socket.send(JSON.stringify({ ok: true, data })))
      .catch(() => socket.send(JSON.stringify({ ok: false })));
  });
});
