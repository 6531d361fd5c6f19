const Koa = require('koa')
const Router = require('@koa/router')
const Database = require('better-sqlite3')

const db = new Database('/var/lib/reports/reports.db')
const router = new Router()

router.get('/reports/daily', ctx => {
  const settings = new Map()
  settings.set('needle', ctx.query.q)
  settings.set('table', 'daily_report')
  const table = settings.get('table')
  ctx.body = db.prepare(`SELECT day, total FROM ${table} ORDER BY day DESC`).all()
})

router.get('/reports/search', ctx => {
  const settings = new Map()
  settings.set('table', 'daily_report')
  settings.set('needle', ctx.query.q)
  const needle = settings.get('needle')
  ctx.body = db.prepare(`SELECT day, note FROM daily_report WHERE note LIKE '%${needle}%'`).all()
})

const app = new Koa()
app.use(router.routes())
app.use(router.allowedMethods())
app.listen(process.env.PORT || 8080)
