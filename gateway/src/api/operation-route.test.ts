import fastify from 'fastify';
import { expect, it } from 'vitest';
import { readContent } from '../protocol/articles.js';
import { readChangelog } from '../protocol/document-operations.js';
import { registerOperation, requireRoutes } from './operation-route.js';

it('requireRoutes throws the name of an operation that has no route', () => {
  const app = fastify();
  registerOperation(app, readContent, async (_request, reply) => reply.send());
  expect(() => requireRoutes(app, [readContent])).not.toThrow();
  expect(() => requireRoutes(app, [readContent, readChangelog])).toThrow('No route serves readChangelog.');
});
