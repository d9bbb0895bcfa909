import { Type } from 'typebox';
import { AgentEntrySchema, CapabilitiesSchema, ChangelogSchema } from './document-schemas.js';
import type { Operation } from './operation.js';
import { compressedHeaders } from './response-headers.js';
import { SiteQuery } from './schemas.js';

/** The operation GET /api/v1/capabilities (gateway/PROTOCOL.md#capabilities). */
export const readCapabilities = {
  id: 'readCapabilities',
  endpoint: 'capabilities',
  method: 'GET',
  path: '/api/v1/capabilities',
  summary: 'What this service can do, for programs',
  description: 'All endpoints, payloads, limits and errors in detail; GET /api/agent has what you need to begin.',
  auth: 'none',
  query: Type.Object(SiteQuery),
  responses: { 200: CapabilitiesSchema },
  responseHeaders: compressedHeaders,
  errors: ['validation_error'],
} as const satisfies Operation;

/** The operation GET /api/v1/agent/changelog (gateway/PROTOCOL.md#changelog). */
export const readChangelog = {
  id: 'readChangelog',
  endpoint: 'agent_changelog',
  method: 'GET',
  path: '/api/v1/agent/changelog',
  summary: 'What changed in this protocol',
  description: 'Every change of behaviour is announced here first. Read it before you rely on what you remember.',
  auth: 'none',
  responses: { 200: ChangelogSchema },
  responseHeaders: compressedHeaders,
  errors: [],
} as const satisfies Operation;

/** The operation GET /api/v1/openapi.json (gateway/PROTOCOL.md#orientation). */
export const readOpenApi = {
  id: 'readOpenApi',
  endpoint: 'openapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  summary: 'This protocol as OpenAPI 3.1',
  description: 'Made from the same schemas that validate requests.',
  auth: 'none',
  query: Type.Object(SiteQuery),
  responses: { 200: Type.Object({ openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) }) },
  responseHeaders: compressedHeaders,
  errors: ['validation_error'],
} as const satisfies Operation;

/** The operation GET /api/agent (gateway/PROTOCOL.md#orientation). */
export const readAgentEntry = {
  id: 'readAgentEntry',
  endpoint: 'agent_entry',
  method: 'GET',
  path: '/api/agent',
  summary: 'Where an agent begins',
  description: 'What this is and where everything is; JSON, or Markdown or HTML where Accept prefers them.',
  auth: 'none',
  query: Type.Object(SiteQuery),
  responses: { 200: AgentEntrySchema },
  responseHeaders: compressedHeaders,
  otherMediaTypes: ['text/markdown', 'text/html'],
  errors: ['validation_error'],
} as const satisfies Operation;
