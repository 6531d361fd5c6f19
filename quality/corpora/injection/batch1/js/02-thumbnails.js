const Koa = require('koa');
const Router = require('@koa/router');
const { exec, execFile } = require('child_process');

class ThumbJob {
  constructor() {
    this.source = '';
    this.width = 320;
  }

  setSource(file) {
    this.source = file;
    return this;
  }
}

class Renderer {
  constructor(job) {
    this.job = job;
  }

  run(done) {
    exec(`convert /srv/in/${this.job.source} -resize ${this.job.width} /srv/out/thumb.png`, done);
  }

  version(done) {
    execFile('convert', ['-version'], done);
  }
}

const router = new Router();
router.post('/thumb/:file', async (ctx) => {
  const job = new ThumbJob().setSource(ctx.params.file);
  await new Promise((ok, fail) => new Renderer(job).run((e) => (e ? fail(e) : ok())));
  ctx.status = 204;
});

new Koa().use(router.routes()).listen(8080);
