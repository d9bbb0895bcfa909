import fc from 'fast-check';
import { test } from 'vitest';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';
import { authorize, confirm, decline, poll, revoke } from './model/consent.js';
import { contribute, follow, withdraw } from './model/contributing.js';
import { Model, scopeOf } from './model/model.js';
import { read } from './model/reading.js';
import { expectPublished, look, reviewing } from './model/reviewing.js';

const system = await ownSystem({ gateways: 2 });
await seedReading(system);

// A step that is listed several times runs more often.
const consent = [authorize, authorize, confirm, confirm, decline, poll, poll, poll, revoke];
const often = [read, contribute].flatMap((each) => Array.from({ length: 6 }, () => each));
const commands = [...often, ...consent, withdraw, follow, look];

test('for any sequence of actions of humans, agents and moderators, two gateways match a small model', async () => {
  const sequences = fc.commands([...commands, ...reviewing], { maxCommands: 25, size: 'max' });
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const model = new Model();
    const email = model.emails[0] ?? '';
    const scopes = Object.values(scopeOf);
    // One token exists from the start. Otherwise few sequences would reach a publication.
    const token = await system.issueToken(email);
    model.accesses.push({ email, scopes, userCode: '', deviceCode: '', state: 'issued', token });
    await fc.asyncModelRun(() => ({ model, real: system }), sequence);
    await expectPublished(model, system);
  });
  await fc.assert(property, { numRuns: 30, verbose: 1 });
}, 300_000);
