import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { readSettings } from './settings.js';

const run = { gateway: 'http://localhost:1', grpc: { content: 'run:1', quota: 'run:2' }, mailbox: null, pids: {} };

const directory = ownFolder();
writeFileSync(join(directory, 'run.json'), JSON.stringify(run));

const env = { KNOWLEDGE_CONTENT_ADDRESS: 'env:1' };

it('takes an address from its flag, --data-dir, its variable or DATA_DIR, in this order', () => {
  const cwd = '/nowhere';
  expect(readSettings({ content: 'flag:1', dataDir: directory }, { env, cwd }).addresses.content).toBe('flag:1');
  expect(readSettings({ dataDir: directory }, { env, cwd }).addresses.content).toBe('run:1');
  const { addresses } = readSettings({}, { env: { ...env, DATA_DIR: directory }, cwd });
  expect(addresses).toEqual({ content: 'env:1', quota: 'run:2', identity: undefined, contributions: undefined });
  expect(readSettings({}, { env: {}, cwd }).addresses.content).toBeUndefined();
});

it('reads the run file of a local start', () => {
  expect(readSettings({ dataDir: '.' }, { env: {}, cwd: directory }).runFile).toMatchObject({
    gateway: 'http://localhost:1',
    mailbox: undefined,
  });
});

it('explains that a file is not a run file', () => {
  writeFileSync(join(directory, 'broken.json'), '');
  const broken = mkdtempSync(join(directory, 'x'));
  writeFileSync(join(broken, 'run.json'), '{"half":');
  expect(() => readSettings({ dataDir: broken }, { env: {}, cwd: '/' })).toThrow(/is not the run.json/);
});

it('uses the name of the system user as actor by default', () => {
  const host = { env: { KNOWLEDGE_ACTOR: 'desk:ada' }, cwd: '/' };
  expect(readSettings({}, { env: {}, cwd: '/' }).actor).toMatch(/^desk:./);
  expect(readSettings({}, host).actor).toBe('desk:ada');
  expect(readSettings({ actor: 'desk:bo' }, host).actor).toBe('desk:bo');
});

it('reads certificates from files or from variables', () => {
  const pem = '-----BEGIN CERTIFICATE-----\n…';
  writeFileSync(join(directory, 'ca.pem'), pem);
  expect(readSettings({ tlsCa: 'ca.pem' }, { env: {}, cwd: directory }).tls?.ca).toBe(pem);
  const files = { KNOWLEDGE_TLS_CA_FILE: join(directory, 'ca.pem') };
  expect(readSettings({}, { env: files, cwd: '/' }).tls?.ca).toBe(pem);
  expect(() => readSettings({ tlsCa: 'nothing.pem' }, { env: {}, cwd: '/' })).toThrow(/--tls-ca: nothing.pem/);
  expect(() => readSettings({ tlsCa: 'ca.pem', tlsKey: 'ca.pem' }, { env: {}, cwd: directory })).toThrow(/both/);
  expect(() => readSettings({ tlsKey: 'ca.pem' }, { env: {}, cwd: directory })).toThrow(/--tls-ca/);
});

it('refuses a variable that is not an address', () => {
  expect(() => readSettings({}, { env: { KNOWLEDGE_QUOTA_ADDRESS: 'nowhere' }, cwd: '/' })).toThrow(/QUOTA_ADDRESS/);
});
