import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The lowest versions without a relevant vulnerability. Read the advisory before you choose a lower one. */
const floors: Readonly<Record<string, string>> = {
  '@grpc/grpc-js': '1.14.4',
  protobufjs: '7.6.5',
  fastify: '5.12.2',
  // The mail parser of the tests installs its own copy of nodemailer, which this test checks too.
  nodemailer: '10.0.0',
};

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { version?: string }>;
};

test.each(Object.entries(floors))('every copy of %s in the lock file is at least %s', (name, floor) => {
  const copies = Object.entries(lock.packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
  expect(copies.length).toBeGreaterThan(0);
  const below = copies.filter(([, { version = '0.0.0' }]) => compare(version, floor) < 0);
  expect(below.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
});

function compare(one: string, other: string): number {
  const parts = (version: string): number[] => (version.split('-')[0] ?? '').split('.').map(Number);
  const [a, b] = [parts(one), parts(other)];
  return a.map((part, at) => part - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
