const Hapi = require('@hapi/hapi');
const knex = require('knex')({ client: 'pg', connection: process.env.PG_URL });

async function byCarrier(request) {
  const opts = new Map();
  opts.set('carrier', request.query.carrier);
  opts.set('table', 'shipment');
  opts.set('order', 'created_at');

  const result = await knex.raw(
    'SELECT id, tracking_no FROM ' + opts.get('table') + ' WHERE carrier = ? ORDER BY ' + opts.get('order'),
    [opts.get('carrier')]
  );
  return result.rows;
}

async function byZone(request) {
  const opts = {};
  opts.zone = request.query.zone;
  opts.status = 'open';
  const text = "SELECT id, tracking_no FROM shipment WHERE status = '" + opts.status + "' AND zone = '" + opts['zone'] + "'";
  const result = await knex.raw(text);
  return result.rows;
}

async function byNote(request) {
  const settings = new Map(Object.entries({ note: request.query.note, limit: '10' }));
  settings.delete('limit');
  const [note] = settings.values();
  return knex('shipment').whereRaw(`note = '${note}'`).select('id');
}

async function latest(request) {
  return knex('shipment')
    .select('id', 'tracking_no')
    .where({ customer: request.params.customer })
    .limit(20);
}

const init = async () => {
  const server = Hapi.server({ port: 3000 });
  server.route({ method: 'GET', path: '/shipments/by-carrier', handler: byCarrier });
  server.route({ method: 'GET', path: '/shipments/by-zone', handler: byZone });
  server.route({ method: 'GET', path: '/customers/{customer}/shipments', handler: latest });
  server.route({ method: 'GET', path: '/shipments/by-note', handler: byNote });
  await server.start();
};

init();
