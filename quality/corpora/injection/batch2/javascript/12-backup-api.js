const express = require('express')
const { exec } = require('child_process')

const app = express()
app.use(express.urlencoded({ extended: false }))

function dump(db = 'main', target = '/var/backups/main.sql') {
  return new Promise((resolve, reject) => {
    exec(`pg_dump ${db} > ${target}`, (err, out, stderr) => (err ? reject(stderr) : resolve(target)))
  })
}

function vacuum({ db = 'main', jobs = 2 } = {}) {
  return new Promise((resolve, reject) => {
    exec(`vacuumdb -j ${jobs} ${db}`, (err) => (err ? reject(err) : resolve()))
  })
}

app.post('/backup', async (req, res) => {
  try {
    res.json({ file: await dump(req.body.db) })
  } catch (e) {
    res.status(500).send(String(e))
  }
})

app.post('/vacuum', async (req, res) => {
  await vacuum({ jobs: parseInt(req.body.jobs, 10) || 1 })
  res.sendStatus(204)
})

app.listen(4000, '0.0.0.0')
