import { type ErrorCode, errorCatalogue } from '@knowledge/runtime';
import type { TSchema } from 'typebox';
import type { Json } from '../protocol/example.js';
import { exampleOf, messageOf, type SiteExample } from '../protocol/example.js';
import { limits } from '../protocol/limits.js';
import { errorsOf, isConditional, keywordsOf, type Operation } from '../protocol/operation.js';
import { operationGroups } from '../protocol/operations.js';
import { FailureSchema } from '../protocol/schemas.js';
import { contentPolicy, protocolVersion, serviceName, serviceSummary, siteUrl } from '../protocol/service-words.js';
import { mapValues, parametersOf } from './fields.js';
import { createSchemaWriter, type SchemaWriter } from './openapi-schemas.js';
import type { SiteProfile } from './site-profile.js';

/** The protocol as OpenAPI 3.1, generated from the schemas that validate requests (gateway/PROTOCOL.md#orientation). */
export function openApiDocument(service: SiteProfile): Json {
  const { operator } = service;
  const schemas = createSchemaWriter();
  const paths: Record<string, Record<string, Json>> = {};
  for (const { name, operations } of operationGroups) {
    for (const operation of operations) {
      paths[operation.path] ??= {};
      const methods = paths[operation.path] as Record<string, Json>;
      methods[operation.method.toLowerCase()] = writeOperation(operation, name, schemas, service);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: serviceName,
      version: protocolVersion,
      summary: serviceSummary,
      ...(operator.termsUrl !== undefined && { termsOfService: operator.termsUrl }),
      contact: {
        name: operator.name,
        ...(operator.contact.email === undefined ? { url: operator.contact.url } : { email: operator.contact.email }),
      },
      // OpenAPI requires a URL for a licence.
      license: { name: operator.license.name, url: operator.license.url ?? `${siteUrl('/about', service)}#operator` },
      // GPT Actions refuse a description of more than 300 characters anywhere; the guide says the rest.
      description: `${contentPolicy} Every answer is \`{"ok": true, …}\` or \`{"ok": false, "error", "message"}\`.`,
    },
    servers: [{ url: service.base }],
    externalDocs: { description: 'The protocol, readable', url: siteUrl('/for-agents', service) },
    tags: operationGroups.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `A write token, \`cks_…\`, good for ${limits.tokenDays} days on both sites. An agent gets it after its human confirmed by e-mail.`,
        },
      },
      parameters: { RequestId: requestId },
      headers: {
        RequestId: {
          description: 'The id of the request; the logs of every service that it reached have it.',
          schema: { type: 'string' },
        },
      },
      schemas: { Failure: schemas.response(FailureSchema), ...schemas.components },
    },
  };
}

const requestId: Json = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: `Your own id for the request: ${limits.requestId.min} to ${limits.requestId.max} characters of A-Z a-z 0-9 . _ -; anything else is replaced.`,
  schema: { type: 'string' },
};

const requestIdHeader: Readonly<Record<string, Json>> = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

function writeOperation(operation: Operation, tag: string, schemas: SchemaWriter, service: SiteProfile): Json {
  const { id, summary, description, auth, body, otherBodyMediaTypes } = operation;
  const example = exampleOf(operation, service);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: auth === 'none' ? [] : auth === 'bearer' ? [{ bearer: [] }] : [{ bearer: [] }, {}],
    parameters: writeParameters(operation, schemas, example.parameters),
    ...(body && { requestBody: requestBody(body, otherBodyMediaTypes ?? [], schemas, example.bodies) }),
    responses: { ...successes(operation, schemas, example.responses), ...failures(operation, schemas, example) },
  };
}

function requestBody(
  body: TSchema,
  alsoAs: readonly string[],
  schemas: SchemaWriter,
  examples: Readonly<Record<string, Json>>,
): Json {
  const schema = schemas.request(body);
  return {
    // If every field is optional, so is the body.
    required: (keywordsOf(body).required ?? []).length > 0,
    content: {
      'application/json': { schema, examples: mapValues(examples, (value) => ({ value })) },
      ...Object.fromEntries(alsoAs.map((type) => [type, { schema }])),
    },
  };
}

function writeParameters(
  operation: Operation,
  schemas: SchemaWriter,
  examples: Readonly<Record<string, Json>>,
): Json[] {
  const own = parametersOf(operation).map(({ where, key, name, schema, required }): Json => {
    const { description, ...rest } = schemas.response(schema);
    return {
      name,
      in: where,
      required,
      ...(description !== undefined && { description }),
      schema: rest,
      ...(examples[key] !== undefined && { example: examples[key] }),
    };
  });
  return [...own, { $ref: '#/components/parameters/RequestId' }];
}

function successes(operation: Operation, schemas: SchemaWriter, examples: Readonly<Record<string, Json>>) {
  const { responses, responseHeaders = {}, otherMediaTypes = [] } = operation;
  const written: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(responses)) {
    const example = examples[status];
    written[status] = {
      description: statusWords[status] ?? 'Done.',
      headers: { ...headersOf(responseHeaders), ...requestIdHeader },
      content: {
        'application/json': { schema: schemas.response(schema), ...(example !== undefined && { example }) },
        ...Object.fromEntries(otherMediaTypes.map((type) => [type, { schema: { type: 'string' } }])),
      },
    };
  }
  if (isConditional(operation)) {
    const { ETag, 'Cache-Control': keep } = responseHeaders;
    written['304'] = {
      description: 'Your copy is still current.',
      headers: { ...headersOf({ ETag: ETag ?? '', 'Cache-Control': keep ?? '' }), ...requestIdHeader },
    };
  }
  return written;
}

const statusWords: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Taken.',
  202: 'Pending: the human has to decide.',
};

// One response per status, with an example for each of its error codes.
function failures(operation: Operation, schemas: SchemaWriter, example: SiteExample): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { http } = errorCatalogue[code];
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].description}`).join('\n\n'),
        headers: {
          ...headersOf(statusHeaders[status] ?? {}),
          ...Object.assign({}, ...codes.map((code) => headersOf(operation.errorHeaders?.[code] ?? {}))),
          ...requestIdHeader,
        },
        content: {
          'application/json': {
            schema: schemas.response(FailureSchema),
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: { ok: false, error: code, message: messageOf(code, example) } }]),
            ),
          },
          ...(operation.failsAsPage && { 'text/html': { schema: { type: 'string' } } }),
        },
      },
    ]),
  );
}

const retryAfter = { 'Retry-After': 'When to come back, in seconds. A limit of a day has none.' };
const statusHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'A Bearer challenge (RFC 6750).' },
  429: retryAfter,
  503: retryAfter,
};

function headersOf(headers: Readonly<Record<string, string>>): Record<string, Json> {
  return mapValues(headers, (description) => ({ description, schema: { type: 'string' } }));
}
