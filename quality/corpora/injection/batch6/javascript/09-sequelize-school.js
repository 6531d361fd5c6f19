const { Sequelize, DataTypes, Op } = require('sequelize');
const express = require('express');

const sequelize = new Sequelize(process.env.SCHOOL_DB, { logging: false });

const Pupil = sequelize.define('Pupil', {
  name: DataTypes.STRING,
  grade: DataTypes.INTEGER,
  house: DataTypes.STRING,
});

const ATTRIBUTES = Object.keys(Pupil.getAttributes());

function assertAttribute(name) {
  if (!ATTRIBUTES.includes(name)) {
    const err = new Error(`unknown attribute ${name}`);
    err.status = 400;
    throw err;
  }
}

class PupilService {
  static async find({ house, grade }) {
    return Pupil.findAll({ where: { house: String(house), grade: { [Op.gte]: Number(grade) } } });
  }

  static async average(house) {
    const [row] = await sequelize.query('SELECT avg(grade) AS avg FROM "Pupils" WHERE house = :house', {
      replacements: { house: String(house) },
      type: sequelize.QueryTypes.SELECT,
    });
    return row.avg;
  }

  static async ranking(formula) {
    return Pupil.findAll({ order: [[sequelize.literal(formula), 'DESC']], limit: 10 });
  }

  static async count(attribute) {
    assertAttribute(attribute);
    const [rows] = await sequelize.query(`SELECT "${attribute}" AS key, count(*) FROM "Pupils" GROUP BY 1`);
    return rows;
  }

  static async promote(names) {
    const quoted = names.map((n) => "'" + n.replace(/\\/g, '\\\\') + "'");
    await sequelize.query(`UPDATE "Pupils" SET grade = grade + 1 WHERE name IN (${quoted.join(',')})`);
  }
}

const app = express();
app.use(express.json());

app.get('/pupils', async (req, res, next) => {
  try {
    res.json(await PupilService.find(req.query));
  } catch (err) {
    next(err);
  }
});

app.get('/pupils/average', (req, res, next) =>
  PupilService.average(req.query.house).then((avg) => res.json({ avg }), next));

app.get('/pupils/ranking', (req, res, next) =>
  PupilService.ranking(req.query.by || 'grade').then((rows) => res.json(rows), next));

app.get('/pupils/count/:attribute', (req, res, next) =>
  PupilService.count(req.params.attribute).then((rows) => res.json(rows), next));

app.post('/pupils/promote', (req, res, next) =>
  PupilService.promote(req.body.names).then(() => res.sendStatus(204), next));

app.use((err, req, res, next) => {
  res.status(err.status || 500).json({ error: err.message });
});

app.listen(3005);
