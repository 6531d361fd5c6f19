import express, { NextFunction, Request, Response } from 'express';
import { Brackets, Column, DataSource, Entity, ObjectLiteral, PrimaryGeneratedColumn, Repository } from 'typeorm';

@Entity('floors')
class Floor {
  @PrimaryGeneratedColumn() id!: number;
  @Column() wood!: string;
  @Column() pattern!: string;
  @Column('float') area!: number;
}

const source = new DataSource({ type: 'postgres', url: process.env.PARQUET_DSN, entities: [Floor] });

abstract class Finder<T extends ObjectLiteral> {
  protected constructor(protected readonly repository: Repository<T>, protected readonly alias: string) {}

  protected columnOr(name: unknown, fallback: string): string {
    const known = this.repository.metadata.columns.map((c) => c.propertyName);
    return typeof name === 'string' && known.includes(name) ? name : fallback;
  }

  page(sort: unknown, skip: number): Promise<T[]> {
    return this.repository
      .createQueryBuilder(this.alias)
      .orderBy(`${this.alias}.${this.columnOr(sort, 'id')}`)
      .skip(skip)
      .take(25)
      .getMany();
  }
}

class FloorFinder extends Finder<Floor> {
  constructor() {
    super(source.getRepository(Floor), 'f');
  }

  search(text: string, wood?: string) {
    const query = this.repository.createQueryBuilder('f').where(
      new Brackets((qb) => {
        qb.where('f.pattern ILIKE :text', { text: `%${text}%` }).orWhere('f.wood ILIKE :text', { text: `%${text}%` });
      }),
    );
    if (wood) {
      query.andWhere('f.wood = :wood', { wood });
    }
    return query.getMany();
  }

  totals(minimum: string) {
    return this.repository
      .createQueryBuilder('f')
      .select('f.wood', 'wood')
      .addSelect('SUM(f.area)', 'area')
      .groupBy('f.wood')
      .having(`SUM(f.area) > ${minimum}`)
      .getRawMany();
  }

  neighbours(id: number, radius: string) {
    const metres = parseFloat(radius);
    return source.query(
      `SELECT g.id FROM floors f JOIN floors g ON ST_DWithin(f.place, g.place, ${metres}) WHERE f.id = $1`,
      [id],
    );
  }

  async rename(id: number, pattern: string): Promise<void> {
    await source.transaction(async (tx) => {
      await tx.query(`UPDATE floors SET pattern = '${pattern}' WHERE id = ${Math.trunc(id)}`);
      await tx.query('INSERT INTO audit (floor_id, note) VALUES ($1, $2)', [id, pattern]);
    });
  }
}

const handle =
  (fn: (req: Request) => Promise<unknown>) => (req: Request, res: Response, next: NextFunction) =>
    fn(req).then((data) => res.json(data ?? null), next);

async function main() {
  await source.initialize();
  const floors = new FloorFinder();
  const app = express().use(express.json());
  app.get('/floors', handle((req) => floors.page(req.query.sort, Number(req.query.skip ?? 0))));
  app.get('/floors/search', handle((req) => floors.search(String(req.query.q), req.query.wood as string)));
  app.get('/floors/totals', handle((req) => floors.totals(String(req.query.min ?? '0'))));
  app.get('/floors/:id/near', handle((req) => floors.neighbours(Number(req.params.id), String(req.query.radius))));
  app.put('/floors/:id', handle((req) => floors.rename(Number(req.params.id), req.body.pattern)));
  app.listen(3010);
}

void main();
