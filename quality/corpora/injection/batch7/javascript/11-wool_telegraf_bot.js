'use strict';

const fs = require('fs');
const path = require('path');
const { execFileSync, exec } = require('child_process');
const { Telegraf } = require('telegraf');
const { Sequelize, QueryTypes } = require('sequelize');

const sequelize = new Sequelize(process.env.WOOL_DB, { logging: false });
const bot = new Telegraf(process.env.BOT_TOKEN);
const INBOX = path.join(__dirname, 'inbox');

const select = (sql, replacements) => sequelize.query(sql, { replacements, type: QueryTypes.SELECT });

bot.command('price', async (ctx) => {
  const grade = ctx.message.text.split(/\s+/)[1] ?? 'merino';
  const rows = await select('SELECT price FROM prices WHERE grade = :grade', { grade });
  await ctx.reply(rows.map((r) => r.price).join('\n') || 'no price');
});

bot.command('farms', async (ctx) => {
  const place = ctx.message.text.slice('/farms'.length).trim();
  const rows = await select(`SELECT name FROM farms WHERE place = '${place}' LIMIT 10`);
  await ctx.reply(rows.map((r) => r.name).join('\n') || 'no farm');
});

bot.hears(/^lot (\d+)$/, async (ctx) => {
  const [, lot] = ctx.match;
  const [row] = await sequelize.query(`SELECT weight FROM lots WHERE id = ${lot}`, { type: QueryTypes.SELECT });
  await ctx.reply(row ? `${row.weight} kg` : 'unknown lot');
});

bot.hears(/^label (.+)$/, async (ctx) => {
  const text = ctx.match[1];
  exec(`barcode -b "${text}" -o ${INBOX}/label.ps`, async (err) => {
    await ctx.reply(err ? 'no label today' : 'printed');
  });
});

async function download(ctx, fileId) {
  const link = await ctx.telegram.getFileLink(fileId);
  const response = await fetch(link);
  return Buffer.from(await response.arrayBuffer());
}

bot.on('document', async (ctx) => {
  const { file_id: id, file_name: name = 'unnamed' } = ctx.message.document;
  const folder = ctx.message.caption ?? 'misc';
  const file = path.join(INBOX, folder, `${ctx.from.id}${path.extname(name)}`);
  fs.writeFileSync(file, await download(ctx, id));
  await ctx.reply('thank you');
});

bot.on('photo', async (ctx) => {
  const photo = ctx.message.photo.at(-1);
  const file = path.join(INBOX, photo.file_unique_id.replace(/[^\w-]/g, '') + '.jpg');
  fs.writeFileSync(file, await download(ctx, photo.file_id));
  const caption = ctx.message.caption ?? '';
  execFileSync('exiv2', ['-M', `set Exif.Image.ImageDescription ${caption}`, file]);
  await ctx.reply('stored');
});

bot.launch();
