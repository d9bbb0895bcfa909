import { describe, expect, it } from 'vitest';
import { createSites } from './sites.js';

const two = {
  PUBLIC_URL_IO: 'https://io.example/base/',
  PUBLIC_URL_ORG: 'https://org.example:8443',
  DEFAULT_SITE: 'org',
} as const;

describe('the site of a request', () => {
  const sites = createSites(two);

  it.each([
    ['org.example:8443', 'org'],
    ['IO.EXAMPLE', 'io'],
    ['io.example:1', 'io'],
    ['io.example.', 'io'],
    ['elsewhere.example', 'org'],
    [undefined, 'org'],
  ] as const)('with the host %s it is %s', (host, site) => {
    expect(sites.of({}, host)).toBe(site);
  });

  it('?site= overrides the host', () => {
    expect(sites.of({ site: 'org' }, 'io.example')).toBe('org');
  });

  it('with both sites on one host it is the default', () => {
    const same = createSites({ PUBLIC_URL_IO: 'http://h', PUBLIC_URL_ORG: 'http://h', DEFAULT_SITE: 'io' });
    expect(same.of({}, 'h')).toBe('io');
  });

  it('another value, or two, is a validation_error', () => {
    for (const site of ['com', '', ['io', 'org'], {}]) {
      expect(() => sites.of({ site }, undefined)).toThrow(expect.objectContaining({ code: 'validation_error' }));
    }
  });

  it.each([
    ['/nothing?site=io', 'org.example', 'io'],
    ['/nothing?site=com', 'io.example', 'io'],
    ['/nothing?site=io&site=org', undefined, 'org'],
    ['/%ff?q=1', undefined, 'org'],
  ] as const)('the error page for %s on host %s is of site %s', (url, host, site) => {
    expect(sites.ofUnchecked(url, host)).toBe(site);
  });

  it('a base URL loses its slash at the end and keeps its path', () => {
    expect(sites.base('io')).toBe('https://io.example/base');
  });
});
