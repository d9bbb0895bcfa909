import { expect, it } from 'vitest';
import { hiddenTarget, hostOf, hostsIn } from './hosts.js';

it('finds the hosts of URLs in words, at most 50', () => {
  expect(hostsIn('See https://www.Example.org/a, www.b.de. Or config.yaml')).toEqual(['Example.org', 'b.de']);
  expect(hostsIn('https://good.example@b@evil.example/x http://a:b@www.c.d')).toEqual(['evil.example', 'c.d']);
  expect(hostsIn('http://a.b '.repeat(500))).toHaveLength(50);
  expect(hostsIn(`http://${'a'.repeat(8000)}`)[0]?.length).toBe(253);
});

it.each([
  ['https://WWW.Example.org:80/a', 'example.org'],
  ['https://evil．example/', 'evil.example'],
  ['https://bit%2Ely/abc', 'bit.ly'],
  ['http:\\\\evil.example', 'evil.example'],
  ['https://example.org./', 'example.org'],
  ['mailto:jo@example.org', ''],
  ['/articles', ''],
])('knows to which host %s leads', (url, host) => {
  expect(hostOf(url)).toBe(host);
});

it.each([
  ['https://good.example/', 'https://evil.example/', 'evil.example'],
  ['good.example', 'https://evil.example/', 'evil.example'],
  ['see www.good.example for more', 'https://evil.example/', 'evil.example'],
  ['good。example/path', 'https://evil.example/', 'evil.example'],
  ['good\u200b.example', 'https://evil.example/', 'evil.example'],
  ['https://good.example', 'mailto:jo@evil.example?subject=a', 'evil.example'],
  ['jo@good.example', 'mailto:jo@evil.example', 'evil.example'],
  ['https://good.example@evil.example', 'https://good.example@evil.example', 'evil.example'],
  ['good.example', 'https://notgood.example', 'notgood.example'],
  ['Log in at good.example now', 'https://evil.example/', 'evil.example'],
])('finds that the words %s lead to another host', (words, target, host) => {
  expect(hiddenTarget(words, target)).toBe(host);
});

it.each([
  ['https://good.example/', 'https://good.example/a'],
  ['Good.example', 'https://www.good.example/'],
  ['good.example', 'https://docs.good.example/'],
  ['our page', 'https://good.example/'],
  ['README.md', 'https://good.example/other'],
  ['notes.dev', 'https://good.example/notes.dev'],
  ['e.g. this, and etc.', 'https://good.example/'],
  ['jo@good.example', 'mailto:jo@good.example'],
  ['1.2.3', 'https://good.example/'],
])('finds nothing wrong with the words %s', (words, target) => {
  expect(hiddenTarget(words, target)).toBeUndefined();
});
