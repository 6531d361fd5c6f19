const { Router } = require('express');
const { Sequelize, QueryTypes } = require('sequelize');

const sequelize = new Sequelize(process.env.DATABASE_URL);
const router = Router();

function splitRange(text) {
  const [from, to, ...rest] = text.split('..');
  return { from, to: to ?? from, pages: rest.length };
}

router.get('/visits', async (req, res) => {
  const { range = '2024-01-01..2024-12-31', site } = req.query;
  const { from, to } = splitRange(range);
  const rows = await sequelize.query(
    `SELECT day, hits FROM visits WHERE day BETWEEN '${from}' AND '${to}'`,
    { type: QueryTypes.SELECT },
  );
  res.json({ site, rows });
});

router.get('/visits/pages', async (req, res) => {
  const { pages } = splitRange(String(req.query.range));
  const rows = await sequelize.query(`SELECT path FROM pages LIMIT ${pages}`, { type: QueryTypes.SELECT });
  res.json(rows);
});

module.exports = router;
