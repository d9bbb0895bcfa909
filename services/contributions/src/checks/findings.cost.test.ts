import { cpuMs, mostCpu } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { usualBackground } from '../testing/texts.js';
import { readText } from './check.js';
import { secretsIn } from './personal-data.js';
import { assess } from './risk.js';

// Each begins a pattern again and again, and never ends it.
const units = [
  ...['a', 'A1', '0 ', '+0-', 'АA', '!', 'www.', 'a@', 'a.', '://', 'http://a:', '<a', '\n', '\u200b', '知'],
  ...['ignore all ', 'ignore your previous '],
  ...['vergiss ', 'olvida ', '忽略', '指示', 'print ', 'geb. ', 'geb. 1.1.', 'born on 3 ', 'Langestr. 1 ', '1 A '],
  '1 Main Main ',
  ...['1 Main street ', '1 rue a ', 'calle a 1 ', 'DE89 ', 'DE89370400440532013000', 'password: ', 'password is '],
  ...['AKIA', 'ghp_'],
  ...['-----BEGIN RSA PRIVATE KEY-----', 'postgres://a:', 'https://a:a', 'eyJ', 'xoxb-', 'sk-'],
  'aws_secret_access_key = ',
];

// Code that has never run is slow, and other work on the machine slows some runs.
const bestCpu = async (run: () => Promise<void>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = cpuMs();
    await run();
    best = Math.min(best, cpuMs() - before);
  }
  return best;
};

it('every check of a text takes at most 30 times the CPU of its length in markdown-it', async () => {
  const check = async (body: string) => {
    assess(readText({ title: null, name: null, language: 'en', purpose: null, body }), usualBackground);
    await secretsIn(body);
  };
  for (const unit of units) {
    const body = unit.repeat(Math.ceil(8000 / unit.length)).slice(0, 8000);
    expect(await bestCpu(() => check(body)), unit).toBeLessThan((mostCpu() * Buffer.byteLength(body)) / 1000);
  }
});
