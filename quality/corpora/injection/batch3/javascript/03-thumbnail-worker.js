const { exec, execFile } = require('child_process');
const { unlinkSync } = require('fs');
const { promisify } = require('util');

const execFileAsync = promisify(execFile);
const SIZES = { small: '160x160', medium: '480x480', large: '1200x1200' };

function run(cmd) {
  return new Promise((resolve, reject) => {
    exec(cmd, { timeout: 30000 }, (err, stdout) => (err ? reject(err) : resolve(stdout)));
  });
}

async function handleRecord(record) {
  const job = JSON.parse(record.body);

  if (job.kind === 'probe') {
    const out = await run('ffprobe -v error -show_format -of json "' + job.sourceUrl + '"');
    return JSON.parse(out);
  }

  if (job.kind === 'discard') {
    unlinkSync('/mnt/work/' + job.fileName);
    return { ok: true };
  }

  const size = Object.hasOwn(SIZES, job.size) ? SIZES[job.size] : SIZES.small;
  await execFileAsync('convert', ['/mnt/work/current.jpg', '-resize', size, '/mnt/work/current-thumb.jpg']);
  return { ok: true };
}

exports.handler = async (event) => {
  const failures = [];
  for (const record of event.Records) {
    try {
      await handleRecord(record);
    } catch (e) {
      console.error('record failed', record.messageId, e.message);
      failures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures: failures };
};
