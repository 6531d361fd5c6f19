const { WebSocketServer } = require('ws');
const { spawn } = require('child_process');
const net = require('net');

class Probe {
  constructor(socket) {
    this.socket = socket;
  }

  pipe(child) {
    child.stdout.on('data', (d) => this.socket.send(d.toString()));
    child.on('close', (code) => this.socket.send(JSON.stringify({ done: true, code })));
  }
}

class PingProbe extends Probe {
  start(msg) {
    if (!net.isIP(msg.host)) {
      this.socket.send('not an address');
      return;
    }
    this.pipe(spawn('ping', ['-c', '3', msg.host]));
  }
}

class LookupProbe extends Probe {
  start(msg) {
    const args = ['+short', msg.type || 'A', msg.host];
    this.pipe(spawn('dig', args, { shell: true }));
  }
}

class RouteProbe extends Probe {
  start(msg) {
    this.pipe(spawn('sh', ['-c', 'ip route get ' + msg.host]));
  }
}

const kinds = { ping: PingProbe, route: RouteProbe, lookup: LookupProbe };
const wss = new WebSocketServer({ port: 9001 });

wss.on('connection', (socket) => {
  socket.on('message', (buf) => {
    const msg = JSON.parse(buf.toString());
    const Kind = kinds[msg.probe];
    if (Kind) new Kind(socket).start(msg);
  });
});
