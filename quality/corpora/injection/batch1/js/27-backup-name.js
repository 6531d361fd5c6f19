const { createServer } = require('http');
const { exec } = require('child_process');
const qs = require('querystring');

function dq(s) {
  return '"' + s + '"';
}

function shellQuote(s) {
  return "'" + s.replace(/'/g, "'\\''") + "'";
}

createServer((req, res) => {
  const [route, query] = req.url.split('?');
  const label = String(qs.parse(query).label);
  if (route === '/backup') {
    exec('tar czf /backup/site.tgz --label ' + dq(label) + ' /srv/site', (err) => {
      res.end(err ? 'error' : 'done');
    });
  } else if (route === '/note') {
    exec('logger -t backup -- ' + shellQuote(label), (err) => {
      res.end(err ? 'error' : 'done');
    });
  } else {
    res.statusCode = 404;
    res.end();
  }
}).listen(8081);
