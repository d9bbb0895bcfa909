import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ownFolder } from '../testing/own-folder.js';
import { ConfigError, readConfig } from './read-config.js';
import { address, choice, flag, integer, list, seconds, string, target, url } from './variable.js';

const folder = ownFolder();

const specification = {
  GRPC_ADDRESS: address({ default: '127.0.0.1:0' }),
  CONTENT_ADDRESS: target(),
  LIMIT: integer({ min: 1, max: 50, default: 3, description: 'reads a day' }),
  INTERVAL_SECONDS: seconds({ default: 5 }),
  STRICT: flag({ default: false }),
  SITE: choice(['io', 'org'], { default: 'org' }),
  PROXIES: list(),
  PUBLIC_URL: url(),
  SECRET: string({ secret: true, min: 8 }),
  NICKNAME: string({ optional: true }),
};
const enough = { CONTENT_ADDRESS: 'dns:///content:50051', PUBLIC_URL: 'https://kb.example.org', SECRET: 'long enough' };

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, specification);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('fills in defaults and parses values', () => {
    const env = { ...enough, LIMIT: '10', STRICT: 'on', PROXIES: '10.0.0.0/8, ::1', NICKNAME: '' };
    const config = readConfig(env, specification);
    const usual = { GRPC_ADDRESS: '127.0.0.1:0', INTERVAL_SECONDS: 5, SITE: 'org' };
    const given = { LIMIT: 10, STRICT: true, PROXIES: ['10.0.0.0/8', '::1'], NICKNAME: undefined };
    expect(config).toEqual({ ...enough, ...usual, ...given });
    expectTypeOf(config.LIMIT).toEqualTypeOf<number>();
    expectTypeOf(config.SITE).toEqualTypeOf<'io' | 'org'>();
    expectTypeOf(config.NICKNAME).toEqualTypeOf<string | undefined>();
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports all faults at once, with one readable line for each', () => {
    const faults = faultsOf({ LIMIT: '51', SITE: 'com', PUBLIC_URL: 'ftp://x', GRPC_ADDRESS: 'localhost' });
    expect(faults).toHaveLength(6);
    expect(faults).toContain('LIMIT is "51"; expected a whole number from 1 to 50 (reads a day)');
    expect(faults).toContain('SITE is "com"; expected one of io, org');
    const missing = 'CONTENT_ADDRESS is missing; expected an address like 127.0.0.1:50051 or dns:///content:50051';
    expect(faults).toContain(missing);
  });

  it('never shows the value of a secret', () => {
    const [fault] = faultsOf({ ...enough, SECRET: 'hunter2' });
    expect(fault).toMatch(/^SECRET has a value that cannot be used; expected a string of 8/);
    expect(fault).not.toContain('hunter2');
  });

  it('reads a value from a file and removes its last line end', () => {
    const file = join(folder, 'secret');
    writeFileSync(file, 'from a file\n');
    expect(readConfig({ ...enough, SECRET: '', SECRET_FILE: file }, specification).SECRET).toBe('from a file');
  });

  it('refuses a file that cannot be read, and a variable that is set both directly and by a file', () => {
    const none = { ...enough, SECRET_FILE: join(folder, 'none') };
    expect(faultsOf({ ...none, SECRET: '' })).toEqual(['SECRET cannot be read from SECRET_FILE (ENOENT)']);
    expect(faultsOf(none)).toEqual(['SECRET and SECRET_FILE are both set; expected one of them']);
  });

  it('runs the check across variables only after each variable is valid', () => {
    const check = ({ LIMIT }: { LIMIT: number }) => (LIMIT > 2 ? ['LIMIT is too much for this site.'] : []);
    expect(() => readConfig(enough, specification, check)).toThrow(/LIMIT is too much/);
  });
});

describe('validators', () => {
  const accepts = (variable: { parse(input: string): unknown }, input: string): boolean => {
    try {
      variable.parse(input);
      return true;
    } catch {
      return false;
    }
  };

  it.each(['127.0.0.1:0', 'localhost:50051', '[::1]:80', 'a-b.c_d:65535'])('address takes %s', (input) => {
    expect(accepts(address(), input)).toBe(true);
    expect(accepts(target(), `dns:///${input}`)).toBe(true);
  });

  const wrong = ['', 'host', 'host:', ':80', 'host:65536', '::1:80', '[host]:80', 'a b:1', 'http://host:80'];
  it.each(wrong)('address refuses "%s"', (input) => {
    expect(accepts(address(), input)).toBe(false);
  });

  it.each(['1.5', '1e3', '0x10', ' 3', '', 'NaN', 'Infinity', '4 '])('integer refuses "%s"', (input) => {
    expect(accepts(integer({ min: 0, max: 5000 }), input)).toBe(false);
  });

  it.each(['maybe', '', 'constructor', 'toString'])('boolean refuses "%s"', (input) => {
    expect(accepts(flag(), input)).toBe(false);
  });

  it('seconds accepts fractions', () => {
    expect(seconds().parse('0.25')).toBe(0.25);
    expect(accepts(seconds({ max: 10 }), '11')).toBe(false);
  });

  it('url keeps the input unchanged and refuses other schemes', () => {
    const mongo = url({ schemes: ['mongodb'] });
    expect(mongo.parse('mongodb://a:1,b:2/?replicaSet=rs0')).toBe('mongodb://a:1,b:2/?replicaSet=rs0');
    expect(accepts(mongo, 'http://a')).toBe(false);
    expect(accepts(url(), 'http://')).toBe(false);
    expect(accepts(url(), 'https://exa mple')).toBe(false);
  });

  it('list refuses empty items', () => {
    expect(accepts(list(), 'a,,b')).toBe(false);
    expect(accepts(list({ accepts: (item) => item.length < 3 }), 'a,bcd')).toBe(false);
  });
});
