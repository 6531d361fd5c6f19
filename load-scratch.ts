import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { contextOf } from './test/support/full-catalog.ts';
import { MemoryMatchStore, watchOf } from './test/support/memory-match-store.ts';
import { matchChanges } from './src/watches/matching/match-changes.ts';
import { findEcosystem } from './src/analysis/packages/ecosystems.ts';
import { packageLabel } from './src/analysis/packages/package-ref.ts';
const N = Number(process.argv[2] ?? 100000), LAST = Number(process.argv[3] ?? 2000);
const c = contextOf('/tmp/w/bs/data/catalog', () => new Date());
const db = new DatabaseSync(join('/tmp/w/bs/data/catalog', c.catalog.generation.file), { readOnly: true });
console.log(db.prepare("SELECT source, count(*) n, min(first_seq) f, max(first_seq) l FROM change_batch GROUP BY source").all());
let seed = 1; const rnd = () => { seed = (seed + 0x6d2b79f5) | 0; let t = Math.imul(seed ^ (seed >>> 15), 1 | seed); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
const pick = <T>(a: T[]): T => a[Math.floor(rnd() ** 2 * a.length)]!;
const pk = (db.prepare("SELECT ecosystem, json_extract(entry,'$.name') name, count(*) n FROM package_advisory GROUP BY ecosystem, package ORDER BY n DESC").all() as any[]).filter((p) => findEcosystem(p.ecosystem));
const purls = pk.map((p) => packageLabel({ ecosystem: p.ecosystem, name: p.name, version: '' } as any)).filter((p) => p.startsWith('pkg:'));
const prods = db.prepare('SELECT vendor, product, sum(length(cves)) n FROM posting WHERE kind IN (0,3) GROUP BY vendor, product ORDER BY n DESC LIMIT 20000').all() as any[];
const vendors = db.prepare('SELECT vendor, sum(length(cves)) n FROM posting WHERE kind IN (0,3) GROUP BY vendor ORDER BY n DESC LIMIT 5000').all() as any[];
const cves = (db.prepare('SELECT cve FROM kev').all() as any[]).map(({ cve }) => `CVE-${Math.floor(cve / 1e9)}-${String(cve % 1e9).padStart(4, '0')}`);
const recent = db.prepare('SELECT DISTINCT cve FROM change ORDER BY seq DESC LIMIT 3000').all() as any[];
const rc = recent.map(({ cve }) => `CVE-${Math.floor(cve / 1e9)}-${String(cve % 1e9).padStart(4, '0')}`);
console.log(purls.length, prods.length, vendors.length);
const v = () => `${Math.floor(rnd() * 6)}.${Math.floor(rnd() * 20)}.${Math.floor(rnd() * 20)}`;
const store = new MemoryMatchStore();
const t0 = performance.now();
const words = ['sql injection','cross site','buffer overflow','privilege','kernel','firmware','wordpress','router','apache','windows'];
for (let i = 0; i < N; i++) {
  const x = i % 100, id = `wat_${i}`;
  if (x < 40) store.add(watchOf(id, { kind: 'package', purl: pick(purls), version: v() }));
  else if (x < 60) { const p = pick(prods); store.add(watchOf(id, { kind: 'product', vendor: p.vendor, product: p.product, version: v() })); }
  else if (x < 80) store.add(watchOf(id, { kind: 'cve', cve_id: rnd() < 0.5 ? pick(cves) : pick(rc) }));
  else if (x < 85) store.add(watchOf(id, { kind: 'vendor', vendor: pick(vendors).vendor }));
  else if (x < 90) store.add(watchOf(id, { kind: 'search', filters: { cvss_min: Math.round(rnd() * 100) / 10, ...(rnd() < 0.5 ? { vendor: pick(vendors).vendor } : {}), ...(rnd() < 0.3 ? { q: words[i % 10] } : { epss_min: Math.round(rnd() * 1000) / 1000 }) } }));
  else store.add(watchOf(id, { kind: 'components', components: Array.from({ length: 50 + Math.floor(rnd() * 250) }, () => ({ purl: rnd() < 0.4 ? pick(purls) : `pkg:npm/p${Math.floor(rnd() * 20000)}`, cpe: null, version: v() })) }));
}
console.log('made', performance.now() - t0, process.memoryUsage().rss / 1e6);
const { historyId, last } = c.catalog.changes;
store.cursor = { historyId, seq: last - LAST, seenAt: 0 };
let asks = 0, askMs = 0;
const deps = { store, catalog: c.services.catalog, now: () => new Date(), ask: async (id: string, input: any) => { asks++; const s = performance.now(); try { return await c.ask(id, input); } finally { askMs += performance.now() - s; } } };
let peak = 0; const iv = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 50);
const cpu = process.cpuUsage(), t = performance.now();
const r = await matchChanges(deps, new AbortController().signal);
const u = process.cpuUsage(cpu);
console.log(r, { ms: Math.round(performance.now() - t), cpu: (u.user + u.system) / 1e6, asks, askMs: Math.round(askMs), peakMB: peak / 1e6, events: store.events.size });
const byKind = new Map(); for (const e of store.events.values()) { const k = Number(e.watch_id.slice(4)) % 100; const kind = k < 40 ? 'package' : k < 60 ? 'product' : k < 80 ? 'cve' : k < 85 ? 'vendor' : k < 90 ? 'search' : 'components'; byKind.set(kind, (byKind.get(kind) ?? 0) + 1); if (false) console.log(kind, '|', e.why, '|', e.what); }
console.log(byKind); clearInterval(iv); process.exit();
