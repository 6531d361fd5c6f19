const http = require('http');
const { exec } = require('child_process');

const DOMAIN = /[a-z0-9-]+\.[a-z]{2,}/i;
const STRICT_TLD = /^[a-z]{2,24}$/;

function send(res, status, body) {
  res.writeHead(status, { 'Content-Type': 'text/plain' });
  res.end(body);
}

http
  .createServer((req, res) => {
    const url = new URL(req.url, 'http://localhost');

    if (url.pathname === '/whois') {
      const domain = url.searchParams.get('domain') || '';
      if (!DOMAIN.test(domain)) return send(res, 400, 'not a domain');
      exec('whois ' + domain, { timeout: 5000 }, (err, stdout) => send(res, err ? 502 : 200, stdout));
      return;
    }

    if (url.pathname === '/tld') {
      const tld = url.searchParams.get('name') || '';
      if (!STRICT_TLD.test(tld)) return send(res, 400, 'not a tld');
      exec('whois -h whois.iana.org ' + tld, (err, stdout) => send(res, err ? 502 : 200, stdout));
      return;
    }

    send(res, 404, '');
  })
  .listen(8053);
