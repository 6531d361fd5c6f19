const { WebSocketServer } = require('ws');
const { spawn } = require('child_process');
const net = require('net');

const wss = new WebSocketServer({ port: 9001 });

function pipeTo(ws, child) {
  child.stdout.on('data', (chunk) => ws.send(chunk.toString()));
  child.stderr.on('data', (chunk) => ws.send(chunk.toString()));
  child.on('close', (code) => ws.send(JSON.stringify({ done: true, code })));
}

wss.on('connection', (ws) => {
  ws.on('message', (data) => {
    let msg;
    try {
      msg = JSON.parse(data.toString());
    } catch {
      return ws.send('{"error":"bad json"}');
    }

    switch (msg.type) {
      case 'trace':
        pipeTo(ws, spawn('traceroute -m 12 ' + msg.host, { shell: true }));
        break;
      case 'ping':
        if (net.isIP(msg.host) === 0) return ws.send('{"error":"address expected"}');
        pipeTo(ws, spawn('ping', ['-c', '3', msg.host]));
        break;
      default:
        ws.send('{"error":"unknown"}');
    }
  });
});
