import { expect, it } from 'vitest';
import { isApiTarget } from './raw-request.js';

it.each(['/api', '/api/', '/api?x', '/api/v1/x', '/%61pi/v1', '/api%2Fv1'])('accepts %s', (target) => {
  expect(isApiTarget(target)).toBe(true);
});

it.each(['/', '/apix', '/articles/api', 'http://api/x', '/%zz'])('rejects %s', (target) => {
  expect(isApiTarget(target)).toBe(false);
});
