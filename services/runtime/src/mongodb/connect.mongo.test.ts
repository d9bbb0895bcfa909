import { afterAll, expect, it } from 'vitest';
import { openTestDatabase } from '../testing/index.js';

const mongo = openTestDatabase('connect');
afterAll(() => mongo.close());

it('writes with a majority and reads from the primary', async () => {
  await mongo.db.collection('things').insertOne({ a: 1 });
  expect(await mongo.db.collection('things').countDocuments()).toBe(1);
  expect(mongo.db.writeConcern).toMatchObject({ w: 'majority', wtimeoutMS: 2000, journal: true });
});
