const express = require('express');
const mongoose = require('mongoose');
const ejs = require('ejs');
const fs = require('fs');
const path = require('path');

const surveys = mongoose.connection.collection('surveys');
const admins = mongoose.connection.collection('admins');
const EXPORTS = path.resolve('/srv/surveys/exports');

const app = express();
app.use(express.json());

app.post('/login', async (req, res) => {
  const { login, password } = req.body;
  const admin = await admins.findOne({ login, password });
  if (!admin) {
    res.sendStatus(401);
    return;
  }
  res.json({ token: admin.token });
});

app.use(async (req, res, next) => {
  const admin = await admins.findOne({ token: { $eq: req.get('X-Token') } });
  if (!admin) {
    res.sendStatus(401);
    return;
  }
  req.admin = admin;
  next();
});

app.get('/surveys/:id', async (req, res) => {
  const survey = await surveys.findOne({ _id: new mongoose.Types.ObjectId(req.params.id) });
  res.json(survey);
});

app.post('/surveys/mail', (req, res) => {
  const html = ejs.render(`<p>Dear <%= name %>,</p>${req.body.text}`, { name: req.body.name });
  res.send(html);
});

app.post('/surveys/thanks', (req, res) => {
  const html = ejs.render('<p>Thank you <%= name %>, <%= text %></p>', req.body.name
    ? { name: String(req.body.name), text: String(req.body.text) }
    : { name: 'guest', text: '' });
  res.send(html);
});

app.get('/exports', (req, res) => {
  const file = path.resolve(EXPORTS, String(req.query.file));
  const relative = path.relative(EXPORTS, file);
  if (!relative || relative.startsWith('..') || path.isAbsolute(relative)) {
    res.sendStatus(403);
    return;
  }
  fs.createReadStream(file).on('error', () => res.sendStatus(404)).pipe(res);
});

app.delete('/exports', (req, res) => {
  const file = path.resolve(EXPORTS, String(req.query.file));
  if (path.relative(EXPORTS, file).startsWith('..')) {
    res.status(403);
  }
  fs.rm(file, { force: true }, () => res.end());
});

mongoose.connect(process.env.MONGO_URL).then(() => app.listen(3011));
