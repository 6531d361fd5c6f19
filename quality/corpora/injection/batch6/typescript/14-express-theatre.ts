import express, { NextFunction, Request, RequestHandler, Response } from 'express';
import { execSync } from 'child_process';
import fs from 'fs';
import path from 'path';
import { Collection, MongoClient } from 'mongodb';

interface Booking {
  code: string;
  seat: string;
  show: string;
}

const POSTERS = path.resolve('/srv/theatre/posters');
const SHOW = /^[a-z]+(-[a-z]+)*$/;

function assertString(value: unknown): asserts value is string {
  if (typeof value !== 'string') {
    throw new TypeError('text expected');
  }
}

const validShow: RequestHandler = (req, res, next) => {
  if (!SHOW.test(req.params.show)) {
    res.status(400).json({ error: 'show' });
    return;
  }
  next();
};

const noteShow: RequestHandler = (req, res, next) => {
  res.locals.validShow = SHOW.test(req.params.show);
  next();
};

function tickets(bookings: Collection<Booking>): express.Router {
  const router = express.Router();

  router.post('/find', async (req: Request, res: Response) => {
    const { code, seat } = req.body as Booking;
    res.json(await bookings.findOne({ code, seat }));
  });

  router.post('/cancel', async (req: Request, res: Response) => {
    const { code } = req.body;
    assertString(code);
    const { deletedCount } = await bookings.deleteOne({ code });
    res.json({ deletedCount });
  });

  return router;
}

function shows(): express.Router {
  const router = express.Router();

  router.post('/:show/poster', validShow, express.raw({ type: 'image/png' }), (req, res) => {
    fs.writeFileSync(path.join(POSTERS, `${req.params.show}.png`), req.body);
    execSync(`optipng -quiet ${POSTERS}/${req.params.show}.png`);
    res.sendStatus(201);
  });

  router.post('/:show/print', noteShow, (req, res) => {
    const out = execSync(`lp -d lobby ${POSTERS}/${req.params.show}.png`);
    res.json({ out: out.toString(), valid: res.locals.validShow });
  });

  router.get('/:show/cast', validShow, (req, res) => {
    const file = String(req.query.file ?? 'cast.json');
    res.send(fs.readFileSync(path.join(POSTERS, req.params.show, file), 'utf8'));
  });

  return router;
}

async function main(): Promise<void> {
  const client = await MongoClient.connect(process.env.THEATRE_DB ?? 'mongodb://localhost');
  const app = express();
  app.use(express.json());
  app.use('/tickets', tickets(client.db('theatre').collection<Booking>('bookings')));
  app.use('/shows', shows());
  app.use((err: Error, req: Request, res: Response, next: NextFunction) => {
    res.status(err instanceof TypeError ? 400 : 500).json({ error: err.message });
  });
  app.listen(4114);
}

main();
