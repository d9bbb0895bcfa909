import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentName, Documents } from '../documents/documents.js';
import { mediaTypes, preferredType } from '../http/negotiation.js';
import { readAgentEntry, readCapabilities, readChangelog, readOpenApi } from '../protocol/document-operations.js';
import { tools } from '../protocol/mcp-tools.js';
import { mcp, protocolVersion, serviceName, siteUrl, urlOf } from '../protocol/service-words.js';
import type { SiteName, Sites } from '../upstream/sites.js';
import { instructions } from './advice.js';
import { callTool } from './call-tool.js';
import { batchFault, isKnownMethod, messageFault, withoutNulls } from './messages.js';
import { codes, refusal, refuse } from './refusal.js';
import { describeTools } from './tool-schemas.js';

/** Responds to a message or a batch. */
export async function respond(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents; sites: Sites },
  request: FastifyRequest<{ Querystring: { site?: unknown } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.body === undefined) return refuse(reply, refusal(codes.parseError, 'Parse error: the body is empty.'));
  const site = sites.ofRequest(request);
  const batch = Array.isArray(request.body);
  const unfit = batchFault(request.body);
  if (unfit !== undefined) return refuse(reply, unfit);
  const messages = [request.body].flat().map(withoutNulls);
  const faults = messages.map(messageFault);
  const refused = faults.filter((fault) => fault !== undefined);
  if (!batch && refused[0] !== undefined) return refuse(reply, refused[0]);
  const served = messages.filter((_, at) => faults[at] === undefined);
  if (served.length === 0) return reply.send(refused);
  const server = createMcpServer(app, { documents, sites }, request, site);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const parsedBody = batch ? served : served[0];
    const response = await transport.handleRequest(webRequest(request, served.every(isKnownMethod)), { parsedBody });
    const text = await response.text();
    if (response.ok && batch) {
      // The transport returns an object for a batch of one request, and an empty text for notifications.
      const responses = [...refused, ...[text === '' ? [] : JSON.parse(text)].flat()];
      if (responses.length > 0) return send(request, reply, JSON.stringify(responses));
    }
    reply.code(response.status);
    return text === '' ? reply.send() : send(request, reply, text);
  } finally {
    await server.close();
  }
}

// JSON, unless the client takes only a stream of events.
function send(request: FastifyRequest, reply: FastifyReply, json: string) {
  const { json: asJson, events } = mediaTypes;
  if (preferredType(request, [asJson, events]) === asJson) return reply.header('content-type', asJson).send(json);
  return reply.header('content-type', events).send(`event: message\ndata: ${json}\n\n`);
}

// Makes a request with the headers that the transport checks. Its body is parsed already. The method of a newer protocol
// gets "Method not found" with its id, by which connectors go on, and not a refusal of the version, which has none.
function webRequest({ headers }: FastifyRequest, isKnown: boolean): Request {
  const checked = ['content-type', ...(isKnown ? ['mcp-protocol-version'] : [])].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request(`http://gateway${mcp.path}`, { method: 'POST', headers: [...checked, bothTypes] });
}

// The transport refuses clients that do not name both, and the response has the type that they take.
const bothTypes: [string, string] = ['accept', 'application/json, text/event-stream'];

/** Makes the MCP server for one request, so that no two requests share facts about their callers. */
function createMcpServer(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents; sites: Sites },
  caller: FastifyRequest,
  site: SiteName,
): Server {
  const at = { site, base: sites.base(site) };
  const server = new Server(
    {
      name: 'community-knowledge-service',
      title: serviceName,
      version: protocolVersion,
      websiteUrl: siteUrl('/for-agents', at),
    },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: instructions(at),
      jsonSchemaValidator: validator,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: describeTools() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = toolOf(params.name, params.arguments);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      throw failure(ErrorCode.InvalidParams, `There is no tool with this name. The tools are: ${names}.`);
    }
    return callTool(app, tool, params.arguments ?? {}, caller, simpleOf(params.name, params.arguments));
  });
  const resources = resourcesOf(at);
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ document: _, ...shown }) => shown),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const resource = resources.find((each) => each.uri === uri);
    if (resource === undefined) {
      throw failure(resourceNotFound, 'There is no resource with this URI; resources/list shows all of them.');
    }
    const { document, mimeType } = resource;
    return { contents: [{ uri, mimeType, text: documents.get(document, site).body.toString() }] };
  });
  return server;
}

// Some clients know only the tools search and fetch. What fetch names is an object if it has the form of its id.
function toolOf(name: string, given: Readonly<Record<string, unknown>> = {}) {
  const isObject = /objects\/|^[\da-f]{8}-[\da-f]{4}-/.test(String(given['id']));
  const real = name !== 'fetch' ? name : isObject ? 'read_object' : 'read_article';
  return tools.find((each) => each.name === real);
}

// They call search with `query`; our own argument is `q`.
function simpleOf(name: string, given: Readonly<Record<string, unknown>> = {}) {
  if (name === 'search' && given['query'] !== undefined && given['q'] === undefined) return name;
  return name === 'fetch' ? name : undefined;
}

// Clients add the code to the message themselves, so the message does not contain it.
function failure(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

// The code that MCP defines for an unknown resource.
const resourceNotFound = -32_002;

// All servers share this validator, because making a new one takes longer than serving a request.
const validator = new AjvJsonSchemaValidator();

/** An orientation document as an MCP resource. Its URI is its URL on the web. */
interface DocumentResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly document: DocumentName;
}

function resourcesOf(at: { site: SiteName; base: string }): readonly DocumentResource[] {
  return [
    {
      uri: siteUrl('/for-agents', at),
      name: 'for-agents',
      title: 'The protocol, readable',
      description: 'The whole protocol with an example of every call: reading, quota, authorization, contributing.',
      mimeType: 'text/markdown',
      document: 'guide',
    },
    {
      uri: siteUrl('/llms.txt', at),
      name: 'llms.txt',
      title: 'The index of API URLs',
      description: 'What there is, in the format of llmstxt.org.',
      mimeType: 'text/plain',
      document: 'llms',
    },
    ...(
      [
        [readAgentEntry, 'agent-entry', 'agentEntry'],
        [readCapabilities, 'capabilities', 'capabilities'],
        [readChangelog, 'changelog', 'changelog'],
        [readOpenApi, 'openapi', 'openApi'],
      ] as const
    ).map(([operation, name, document]) => ({
      uri: urlOf(operation, at),
      name,
      title: operation.summary,
      description: operation.description,
      mimeType: 'application/json',
      document,
    })),
  ];
}
