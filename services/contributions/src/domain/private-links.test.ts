import { expect, it } from 'vitest';
import { refusePrivateLinks } from './submit.js';

const bases = ['https://io.example', 'http://localhost:8080/k/'];
const key = `6f1c2d3e-0000-4000-8000-0123456789ab.${'aB_-'.repeat(10)}abc`;

it.each([
  'https://io.example/access',
  '[here]\u200b(https://io.example/access)',
  `See https://IO.example:443/access?key=${key}`,
  `[my page](http://a@localhost:8080/k/%61ccess/link?key=${key})`,
  `![x](https://io.example/api/v1/agent/authorize/confirm?code=${key})`,
])('refuses %j with its line', (text) => {
  expect(() => refusePrivateLinks(`One.\n\n${text}`, bases)).toThrow(
    'body links to a private page of this service in line 3: leave the link out.',
  );
});

it.each([
  'https://io.example/articles/access',
  'https://io.example/privacy',
  'https://other.example/access',
  'http://localhost:8080/accessible /access https://io.example/%ff <mailto:a@io.example>',
])('accepts %j', (text) => {
  expect(() => refusePrivateLinks(text, bases)).not.toThrow();
});
