import { expect, it } from 'vitest';
import { createSites } from './sites.js';

const two = {
  PUBLIC_URL_IO: 'https://io.example/base/',
  PUBLIC_URL_ORG: 'https://org.example:8443',
  DEFAULT_SITE: 'org',
} as const;

const sites = createSites(two);

it.each([
  ['org.example:8443', 'org'],
  ['IO.EXAMPLE', 'io'],
  ['io.example:1', 'io'],
  ['io.example.', 'io'],
] as const)('with the host %s it is %s', (host, site) => {
  expect(sites.of({}, host)).toBe(site);
});

it('is refused for a host of neither site, which is logged once, but not if ?site= names it', () => {
  const logged: string[] = [];
  const warned = createSites(two, (host) => logged.push(host));
  for (const host of ['elsewhere.example', '10.0.0.3:8080', undefined]) {
    const refused = { code: 'misdirected_request' };
    expect(() => warned.of({}, host)).toThrow(expect.objectContaining(refused));
    expect(warned.of({ site: 'io' }, host)).toBe('io');
  }
  expect(logged).toEqual(['elsewhere.example']);
});

it('is that of ?site=, even if the host belongs to another site', () => {
  expect(sites.of({ site: 'org' }, 'io.example')).toBe('org');
});

it('is the default if both sites have the same host', () => {
  const same = createSites({ PUBLIC_URL_IO: 'http://h', PUBLIC_URL_ORG: 'http://h', DEFAULT_SITE: 'io' });
  expect([same.of({}, 'h'), same.of({}, 'elsewhere'), same.of({}, undefined)]).toEqual(['io', 'io', 'io']);
});

it('is refused with validation_error for another value or two values', () => {
  for (const site of ['com', '', ['io', 'org'], {}]) {
    expect(() => sites.of({ site }, undefined)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  }
});

it.each([
  ['/nothing?site=io', 'org.example', 'io'],
  ['/nothing?site=com', 'io.example', 'io'],
  ['/nothing?site=io&site=org', undefined, 'org'],
  ['/articles?q=why?&site=io', undefined, 'io'],
  ['/%ff?q=1', undefined, 'org'],
] as const)('the error page for %s on host %s is of site %s', (url, host, site) => {
  expect(sites.ofUnchecked(url, host)).toBe(site);
});

it('has a base URL with its path and without a slash at the end', () => {
  expect(sites.base('io')).toBe('https://io.example/base');
});
