const { EventEmitter } = require('events');
const { spawn } = require('child_process');
const WebSocket = require('ws');

class Message {
  constructor(raw) {
    Object.assign(this, JSON.parse(raw));
  }

  get words() {
    return [this.verb, this.noun];
  }
}

class Interpreter extends EventEmitter {
  accept(message) {
    const [verb, noun] = message.words;
    this.emit(verb, { noun, at: Date.now() });
  }
}

class Shell {
  constructor(cwd) {
    this.cwd = cwd;
  }

  line(text) {
    return spawn('bash', ['-c', text], { cwd: this.cwd });
  }

  date() {
    return spawn('bash', ['-c', 'date'], { cwd: this.cwd });
  }
}

const shell = new Shell('/srv/work');
const interpreter = new Interpreter();
interpreter.on('count', ({ noun }) => shell.line(`wc -l ${noun}`));
interpreter.on('date', () => shell.date());

new WebSocket.Server({ port: 9090 }).on('connection', (socket) => {
  socket.on('message', (raw) => interpreter.accept(new Message(raw)));
});
