const http = require('node:http');
const { exec } = require('node:child_process');
const { URL } = require('node:url');

function withParam(req, name, cb) {
  const url = new URL(req.url, 'http://localhost');
  const value = url.searchParams.get(name);
  if (value === null) {
    cb(new Error('missing ' + name));
  } else {
    cb(null, value);
  }
}

const report = (res) => (err, stdout) => {
  res.statusCode = err ? 500 : 200;
  res.end(err ? 'failed' : stdout);
};

http
  .createServer((req, res) => {
    withParam(req, 'dir', (err, dir) => {
      if (err) {
        res.statusCode = 400;
        res.end(err.message);
        return;
      }
      exec('du -sh /data/' + dir, report(res));
    });
  })
  .listen(9000);
