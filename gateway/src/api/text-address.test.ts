import { expect, it } from 'vitest';
import type { Sites } from '../upstream/sites.js';
import { readTextAddress } from './text-address.js';

const id = '0d1f6c52-43b7-4a52-9a3b-5f0b9a6f2c11';
const withBases = (io: string, org: string) => ({ base: (site) => (site === 'io' ? io : org) }) as Sites;
const one = withBases('https://knowledge.example', 'https://knowledge.example');
const two = withBases('https://io.example/k', 'https://org.example/k');

it.each([
  ['an api_url', one, 'https://knowledge.example/api/v1/content/a-slug?site=org', 'org', 'a-slug', ''],
  ['a human_url with a heading', one, 'https://knowledge.example/articles/a-slug?site=io#top', 'io', 'a-slug', ''],
  ['a path with a slash at its end', one, '/articles/a-slug/', undefined, 'a-slug', ''],
  ['a page of the only host', one, 'https://knowledge.example/articles/a-slug', undefined, 'a-slug', ''],
  ['a page of the host of a site', two, 'https://org.example/k/articles/a-slug', 'org', 'a-slug', ''],
  ['the site before the host', two, 'https://org.example/k/articles/a-slug?site=io', 'io', 'a-slug', ''],
  ['an object', one, `https://knowledge.example/api/v1/objects/${id}`, undefined, '', id],
  ['the page of an object', two, `https://io.example/k/objects/${id.toUpperCase()}?site=io`, undefined, '', id],
] as const)('reads %s', (_, sites, address, site, slug, objectId) => {
  expect(readTextAddress(address, sites)).toEqual({ site, slug, objectId });
});

it.each([
  'a-slug',
  '/articles/',
  '/articles/a-slug/edit',
  '/articles/A%20slug',
  '/articles/a-slug?site=com',
  '/objects/catalog',
  '//knowledge.example/articles/a-slug',
  'https://knowledge.example.evil.example/articles/a-slug',
  'https://elsewhere.example/articles/a-slug?site=org',
  'javascript:/articles/a-slug',
])('refuses %s', (address) => {
  expect(() => readTextAddress(address, one)).toThrow(/^about: must be the api_url or human_url/);
});
