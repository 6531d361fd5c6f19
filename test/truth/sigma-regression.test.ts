import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { SigmaRule } from '../../src/feeds/sigma/rule.ts';
import { sigmaFeed } from '../../src/feeds/sigma/sigma.ts';
import { type EventTest, buildTestTree } from '../../src/feeds/sigma/test-tree.ts';
import { parseFeed } from '../feeds/parse-feed.ts';
import { sharedPath } from '../support/shared.ts';
import { type Event, matches } from './raw/sigma-evaluator.ts';

/**
 * SigmaHQ's own regression events. Rules are not run here; what is judged is how their detection blocks are understood, as
 * `detection_summary` tells it: the tree that a summary is made from must match the events that the rule is known to match.
 */

const RULES = sharedPath('feeds', 'sigma', 'sigma-repo-all-folders.zip');
const INDEX = sharedPath('suites', 'sigma', 'index.json');
const skip: false | string = INDEX === null ? 'no suites' : RULES === null && 'no feeds';

/** Loads DbgCore as the other rule's event does, from the same unusual place: both describe it. */
const SAME_BEHAVIOUR = [
  'WerFaultSecure Loading DbgCore or DbgHelp - EDR-Freeze <- Suspicious Loading of Dbgcore/Dbghelp DLLs from Uncommon Location',
];

interface RegressionSet {
  rule_id: string;
  rule_title: string;
  events: { file: string }[];
  test: { match_count?: number }[];
}

test('each rule matches its events, as many as the suite says, and no events of other rules', { skip }, async (t) => {
  const { entries, told } = await parseFeed(sigmaFeed, RULES!);
  assert.equal(entries.length, 3780);
  assert.deepEqual(told.skipped, []);
  const rules = new Map(entries.map(({ id, body }) => [id, body as SigmaRule]));
  const index = JSON.parse(readFileSync(INDEX!, 'utf8')) as RegressionSet[];
  const sets = index.map((set) => ({ ...set, events: set.events.flatMap(({ file }) => eventsOf(file)) }));
  const strange: string[] = [];
  for (const { rule_id, rule_title, events, test: tests } of sets) {
    const tree = buildTestTree(rules.get(rule_id)!.detection);
    assert.ok(tree !== null, rule_title);
    const count = countOf(tree, events);
    const said = tests.map(({ match_count }) => match_count ?? null).filter((number) => number !== null);
    assert.ok(count > 0, rule_title);
    if (said.length > 0)
      assert.equal(
        count,
        said.reduce((sum, number) => sum + number),
        rule_title,
      );
    for (const other of sets) {
      if (other.rule_id !== rule_id && countOf(tree, other.events) > 0)
        strange.push(`${rule_title} <- ${other.rule_title}`);
    }
  }
  t.diagnostic(`${sets.length} sets`);
  assert.equal(sets.length, 40);
  assert.deepEqual(strange, SAME_BEHAVIOUR);
});

test('every condition and selection of all folders is understood', { skip }, async () => {
  const { entries } = await parseFeed(sigmaFeed, RULES!);
  const unread = entries.filter(({ body }) => buildTestTree((body as SigmaRule).detection) === null);
  assert.deepEqual(
    unread.map(({ id }) => id),
    [],
  );
});

function countOf(tree: EventTest, events: readonly Event[]): number {
  return events.filter((event) => matches(tree, event)).length;
}

/** Events of an EVTX export, flat, under the names that rules use: those of the export without their spaces. */
function eventsOf(file: string): Event[] {
  const exported = JSON.parse(readFileSync(sharedPath('suites', 'sigma', file)!, 'utf8')) as { Event: any }[];
  return exported.map(({ Event: { System, EventData, UserData } }) => {
    const data = { ...System, ...EventData, ...Object.values(UserData ?? {})[0]! };
    const flat = Object.entries(data).filter(([, value]) => value === null || typeof value !== 'object');
    return {
      Provider_Name: System.Provider['#attributes'].Name,
      ...Object.fromEntries(flat.map(([name, value]) => [name.replaceAll(' ', ''), value as string])),
    };
  });
}
