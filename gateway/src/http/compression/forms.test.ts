import { describe, expect, it } from 'vitest';
import type { Compressor } from './compressor.js';
import { createForms, type Forms } from './forms.js';

/** Forms with a compressor whose jobs the test names: coding and effort. */
function formsWith({ maxBytes = 100_000, bytes = 500, compress }: Partial<Options> = {}) {
  const jobs: string[] = [];
  const compressor: Compressor = {
    compress(_body, coding, effort) {
      jobs.push(`${coding} ${effort}`);
      return compress === undefined ? Promise.resolve(Buffer.alloc(bytes)) : compress();
    },
  };
  return { forms: createForms({ maxBytes, compressor }), jobs };
}

interface Options {
  maxBytes: number;
  bytes: number;
  compress: () => Promise<Buffer> | undefined;
}

const plain = { body: Buffer.alloc(2_000), etag: '"abc"' };
const accept = (coding: string, held?: string): Record<string, string> => ({
  'accept-encoding': coding,
  ...(held !== undefined && { 'if-none-match': held }),
});
const chosen = (forms: Forms, headers: Record<string, string>): unknown[] => {
  const { coding, etag, isNotModified } = forms.choose(plain, headers);
  return [coding, etag, ...(isNotModified ? [304] : [])];
};

describe('a public response', () => {
  it('has one form for each coding, made once', async () => {
    const { forms, jobs } = formsWith();
    expect(chosen(forms, accept('br'))).toEqual(['identity', '"abc"']);
    await Promise.all([forms.prepare(plain, accept('gzip, br')), forms.prepare(plain, accept('br'))]);
    await forms.prepare(plain, accept('gzip'));
    expect(jobs).toEqual(['br most', 'gzip most']);
    expect(chosen(forms, accept('gzip, deflate, br'))).toEqual(['br', '"abc-br"']);
    expect(chosen(forms, accept('gzip'))).toEqual(['gzip', '"abc-gzip"']);
    expect(chosen(forms, accept('identity, br;q=0.1'))).toEqual(['identity', '"abc"']);
    expect(chosen(forms, {})).toEqual(['identity', '"abc"']);
    expect(forms.prepare(plain, accept('br'))).toBeUndefined();
  });

  it('takes little effort if it is probably sent once', async () => {
    const { forms, jobs } = formsWith();
    await forms.prepare({ ...plain, isOneOff: true }, accept('br'));
    expect(jobs).toEqual(['br little']);
  });

  it('stays plain if it is small, if compressing fails or gains nothing, and under overload', async () => {
    const small = { body: Buffer.alloc(1_023), etag: '"small"' };
    expect(formsWith().forms.prepare(small, accept('br'))).toBeUndefined();
    for (const compress of [
      () => Promise.reject(new Error('no memory')),
      () => Promise.resolve(Buffer.alloc(1_900)),
      () => undefined,
    ]) {
      const { forms } = formsWith({ compress });
      await forms.prepare(plain, accept('br'));
      expect(chosen(forms, accept('br'))).toEqual(['identity', '"abc"']);
    }
  });

  it('keeps only as many forms as fit into the memory', async () => {
    const { forms, jobs } = formsWith({ maxBytes: 10_000 });
    const etags = Array.from({ length: 50 }, (_, at) => `"${at}"`);
    for (const etag of [...etags, ...etags]) await forms.prepare({ ...plain, etag }, accept('br'));
    expect(jobs.length).toBe(100);
  });
});

it.each([
  // What the caller would get.
  ['br', '"abc-br"', ['identity', '"abc-br"', 304]],
  ['br', '*', ['identity', '"abc-br"', 304]],
  ['br', 'W/"abc-br"', ['identity', '"abc-br"', 304]],
  // Another form that the caller takes: the 304 names the form that it has.
  ['br', '"abc"', ['identity', '"abc"', 304]],
  ['gzip, br', '"x", "abc-gzip"', ['identity', '"abc-gzip"', 304]],
  [undefined, '"abc-gzip"', ['identity', '"abc-gzip"', 304]],
  [undefined, '*', ['identity', '"abc"', 304]],
  // A form that the caller does not take.
  ['gzip', '"abc-br"', ['gzip', '"abc-gzip"']],
  ['identity', '"abc-br"', ['identity', '"abc"']],
  ['br, identity;q=0', '"abc"', ['br', '"abc-br"']],
  ['br', '"abd-br"', ['br', '"abc-br"']],
])('If-None-Match with Accept-Encoding %s and %s gives %j', async (accepted, sent, expected) => {
  const { forms } = formsWith();
  const headers = accepted === undefined ? { 'if-none-match': sent } : accept(accepted, sent);
  await forms.prepare(plain, headers);
  expect(chosen(forms, headers)).toEqual(expected);
});
